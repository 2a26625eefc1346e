// Moves and constants, and where a value is when it has moved.
#include "tracer/lift/explain/explainer.h"

#include <tuple>

namespace twiddle {
namespace {

constexpr std::size_t enough_probes = 6;  // of one item, in which a value that depends on data would differ

}  // namespace

void Explainer::copies() {
  for (std::size_t s = 1; s < plain_.size(); ++s)
    if (slot(int(s)).write && slot(int(s)).copy && slot(int(s) - 1).copy && !slot(int(s) - 1).write) {
      Pattern move = pattern_like(int(s), LiftedKind::Move);
      move.reads = {int(s) - 1};
      move.writes = {int(s)};
      accept(std::move(move));
    }
}

void Explainer::moves(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  const Slots inputs = fresh(runs, at, writes.front());
  std::unordered_multimap<std::uint64_t, int> from;
  for (const int s : inputs) from.emplace(values_.print(s), s);
  std::set<int> taken;
  std::vector<std::pair<int, int>> found;
  for (const int w : writes) {
    if (values_.zero(w)) continue;
    auto [one, end] = from.equal_range(values_.print(w));
    int best = -1;
    for (; one != end; ++one) {
      const int s = one->second;
      // The read that no other write took; of several not the written place itself, for a move to where a value is does
      // nothing; then the one accessed first.
      const auto rank = [&](int read) {
        const bool to_itself = slot(read).buffer == slot(w).buffer && place(read) == place(w);
        return std::tuple(taken.contains(read), to_itself, read);
      };
      if (best < 0 || rank(s) < rank(best)) best = s;
    }
    if (best < 0) continue;
    taken.insert(best);
    found.emplace_back(best, w);
  }
  if (found.empty()) {
    held_moves(runs, at, writes);
    return;
  }
  // A read that went nowhere makes others doubtful: x + 0, or the larger of two, is no move of x. Whole numbers of another
  // type are indices and flags.
  if (inputs.size() <= max_points_in_reach) {
    const auto another = [&](int s) {
      return slot(s).number == Number::Whole && slot(s).type != slot(writes.front()).type;
    };
    Slots rest;
    for (const int s : inputs)
      if (!taken.contains(s) && !table(s) && !another(s)) rest.push_back(s);
    if (!rest.empty()) {
      if (std::any_of(rest.begin(), rest.end(), [&](int s) { return values_.zero(s); })) return;
      if (std::any_of(found.begin(), found.end(),
                      [&](const auto& move) { return in_step_with_others(move.first, rest); }))
        return;
      if (writes.size() == 1)
        for (const LiftedKind kind : {LiftedKind::Minimum, LiftedKind::Maximum}) {
          Pattern other = pattern_like(writes[0], kind);
          other.reads = inputs;
          other.writes = writes;
          if (slot(writes[0]).number != Number::Complex && holds(other)) return;
        }
    }
  }
  for (const auto& [r, w] : found) {
    Pattern move = pattern_like(w, LiftedKind::Move);
    move.reads = {r};
    move.writes = {w};
    accept(std::move(move));
  }
  // What is read just before went elsewhere as a whole: what is left may be older.
  const bool all_taken = std::all_of(inputs.begin(), inputs.end(), [&](int s) { return taken.contains(s); });
  if (const Slots left = open_writes(writes); !left.empty()) held_moves(runs, at, left, all_taken);
}

void Explainer::held_moves(const std::vector<Run>& runs, std::size_t at, const Slots& writes, bool all_taken) {
  if (!all_taken && !fresh(runs, at, writes.front()).empty()) return;
  const Slots held = earlier(runs, at, writes.front(), false);
  for (const int w : writes) {
    if (values_.zero(w)) continue;
    const auto found =
        std::find_if(held.rbegin(), held.rend(), [&](int s) { return values_.print(s) == values_.print(w); });
    if (found == held.rend()) continue;
    Pattern move = pattern_like(w, LiftedKind::Move);
    move.reads = {*found};
    move.writes = {w};
    accept(std::move(move));
  }
}

void Explainer::assembled(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  if (slot(writes.front()).number != Number::Complex) return;
  Slots reals;  // the latest first
  bool zeros = false;
  for (std::size_t r = at; r-- > 0;) {
    if (runs[r].write) continue;
    // Where zeros are read, an older value may be what is written by accident, unless other data say so as well.
    if (r + 1 < at && zeros && probed_.size() < enough_probes) break;
    for (auto s = runs[r].slots.rbegin(); s != runs[r].slots.rend() && reals.size() < max_points_in_reach; ++s) {
      if (slot(*s).number != Number::Real || slot(*s).width != slot(writes.front()).width) continue;
      if (values_.zero(*s))
        zeros = true;
      else
        reals.push_back(*s);
    }
  }
  for (const int w : writes) {
    int parts[2] = {-1, -1};
    for (const int s : reals)
      for (int p = 0; p < 2; ++p)
        if (parts[p] < 0 && in_every_sample([&](std::size_t i) {
              const Complex whole = values_.number(w, i);
              return (p == 0 ? whole.real() : whole.imag()) == values_.number(s, i).real();
            }))
          parts[p] = s;
    // A real one as a complex one.
    const bool real = in_every_sample([&](std::size_t i) { return values_.number(w, i).imag() == 0; });
    if (parts[0] < 0 || (parts[1] < 0 && !real)) continue;
    Pattern move = pattern_like(w, LiftedKind::Move);
    if (parts[1] < 0)
      move.reads = {derived(Derived::Widened, parts[0])};
    else
      move.reads = {parts[0], parts[1]};
    move.writes = {w};
    accept(std::move(move));
  }
}

void Explainer::constants(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  const Slots inputs = fresh(runs, at, writes.front());
  // Zeros after zeros may be anything.
  const Slots held = earlier(runs, at, writes.front(), false);
  const bool told = std::none_of(held.begin(), held.end(), [&](int s) { return values_.zero(s); });
  // But for what is the same on all data.
  if (!told && (probed_.size() < enough_probes || slot(writes.front()).number == Number::Whole)) return;
  for (const int w : writes) {
    const std::uint64_t first = values_.bits(w, 0);
    if (!in_every_sample([&](std::size_t s) { return values_.bits(w, s) == first; })) continue;
    if (!inputs.empty() && !values_.zero(w) && values_.count() < 4) continue;
    if (inputs.empty() && !values_.zero(w) && values_.count() < 2 && at > 0) continue;
    Pattern pattern = pattern_like(w, LiftedKind::Constant);
    pattern.coefficients = {values_.number(w, 0)};
    pattern.writes = {w};
    accept(std::move(pattern));
  }
}

void Explainer::freshen(Pattern& pattern) {
  switch (pattern.kind) {
    case LiftedKind::Sum:
    case LiftedKind::Minimum:
    case LiftedKind::Maximum:
    case LiftedKind::Product: break;
    default: return;
  }
  const std::uint32_t end = slot(pattern.writes[0]).last_record();
  bool changed = false;
  for (int& read : pattern.reads) {
    if (!overwritten(read, end)) continue;
    for (int s = pattern.writes[0] - 1; s >= 0 && slot(s).last_record() > slot(read).last_record(); --s)
      if (slot(s).write && alike(s, read) && values_.print(s) == values_.print(read) && !overwritten(s, end) &&
          std::find(pattern.reads.begin(), pattern.reads.end(), s) == pattern.reads.end()) {
        read = s;
        changed = true;
        break;
      }
  }
  if (changed) pattern.reads = by_address(pattern.reads);
}

bool Explainer::overwritten(int read, std::uint32_t end) const {
  const auto found = written_at_.find({slot(read).buffer, place(read)});
  if (found == written_at_.end()) return false;
  const auto next = std::upper_bound(found->second.begin(), found->second.end(), slot(read).last_record());
  return next != found->second.end() && *next < end;
}

}  // namespace twiddle
