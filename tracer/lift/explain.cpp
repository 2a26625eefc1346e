#include "tracer/lift/explain.h"

#include "tracer/lift/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

namespace twiddle {
namespace {

constexpr std::size_t max_points_in_reach = 64;  // that one operation's points are looked for among
constexpr std::size_t max_terms = 8192;          // of a sum with coefficients
constexpr std::size_t max_group_pairs = 20000;   // groups of reads times groups of writes that are compared

struct Run {
  bool write = false;
  int epoch = 0;
  std::vector<int> slots;
};
using Slots = std::vector<int>;

class Explainer {
 public:
  Explainer(const ItemShape& shape, const std::vector<Sample>& samples, const LiftOptions& options,
            const std::vector<bool>& only_read)
      : options_(options), values_(samples), only_read_(only_read) {
    result_.slots = shape.slots;
    for (const Slot& slot : shape.slots) values_.add(slot);
    result_.written.resize(shape.slots.size());
    used_.resize(shape.slots.size());
    // The probes of the first item that has some.
    for (std::size_t s = 0; s < samples.size(); ++s)
      if (samples[s].probe && (probed_.empty() || samples[s].item == samples[probed_.front()].item))
        probed_.push_back(s);
    plain_.resize(shape.slots.size());
    std::iota(plain_.begin(), plain_.end(), 0);
  }

  Explanation run() {
    const std::vector<Run> runs = runs_of(plain_);
    for (const int s : plain_)
      if (slot(s).number == Number::Complex && maybe_table(s)) {
        bool& unit = unit_buffers_.try_emplace(slot(s).buffer, true).first->second;
        unit = unit && of_modulus_one(s);
      }
    copies();
    each_writes(runs, [&](std::size_t at, const Slots& writes) { moves(runs, at, writes); });
    each_writes(runs, [&](std::size_t at, const Slots& writes) { extremes(runs, at, writes); });
    std::vector<Slots> views;
    for (const bool split_first : {false, true}) {
      Slots view = complex_view(runs, split_first);
      if (std::find(views.begin(), views.end(), view) == views.end()) views.push_back(std::move(view));
    }
    for (const Slots& view : views) transforms(runs_of(view));
    each_writes(runs, [&](std::size_t at, const Slots& writes) { assembled(runs, at, writes); });
    each_writes(runs, [&](std::size_t at, const Slots& writes) { reductions(runs, at, writes); });
    each_writes(runs, [&](std::size_t at, const Slots& writes) { real_butterflies(runs, at, writes); });
    for (const Slots& view : views) {
      const std::vector<Run> complex_runs = runs_of(view);
      each_writes(complex_runs, [&](std::size_t at, const Slots& writes) { linear(complex_runs, at, writes, true); });
    }
    each_writes(runs, [&](std::size_t at, const Slots& writes) { linear(runs, at, writes, false); });
    for (const Slots& view : views) by_probes(runs_of(view));
    by_probes(runs);
    each_writes(runs, [&](std::size_t at, const Slots& writes) { constants(runs, at, writes); });
    for (std::size_t at = 0; at < runs.size(); ++at)
      if (runs[at].write) open_run(runs, at);
    for (const int s : plain_)
      if (slot(s).write) written_at_[{slot(s).buffer, place(s)}].push_back(slot(s).last_record());
    for (Pattern& pattern : result_.patterns) freshen(pattern);
    return std::move(result_);
  }

 private:
  // ---- views and runs

  const Slot& slot(int s) const { return result_.slots[s]; }
  std::uint64_t place(int s, std::size_t sample = 0) const { return values_.offset(s, sample); }

  std::vector<Run> runs_of(const Slots& view) const {
    std::vector<Run> runs;
    for (const int s : view) {
      const Slot& one = slot(s);
      if (runs.empty() || runs.back().write != one.write || (one.write && runs.back().epoch != one.epoch))
        runs.push_back({one.write, one.epoch, {}});
      runs.back().slots.push_back(s);
    }
    return runs;
  }

  // Calls with each run's unexplained writes, those of one make at a time.
  template <typename F>
  void each_writes(const std::vector<Run>& runs, const F& call) {
    for (std::size_t at = 0; at < runs.size(); ++at) {
      if (!runs[at].write) continue;
      Slots left = open_writes(runs[at].slots);
      while (!left.empty()) {
        Slots same;
        const int first = left.front();
        for (const int s : left)
          if (alike(s, first)) same.push_back(s);
        std::erase_if(left, [&](int s) { return alike(s, first); });
        call(at, same);
      }
    }
  }

  bool alike(int a, int b) const { return slot(a).number == slot(b).number && slot(a).width == slot(b).width; }
  Slots open_writes(const Slots& slots) const {
    Slots open;
    for (const int s : slots)
      if (!explained(s)) open.push_back(s);
    return open;
  }
  bool explained(int s) const {
    if (const auto pair = pair_parts_.find(s); pair != pair_parts_.end())
      return result_.written[pair->second.first] || result_.written[pair->second.second];
    return result_.written[s];
  }
  bool used(int s) const {
    if (const auto pair = pair_parts_.find(s); pair != pair_parts_.end())
      return used_[pair->second.first] || used_[pair->second.second];
    return used_[s];
  }
  void mark(std::vector<bool>& marks, int s) {
    if (const auto pair = pair_parts_.find(s); pair != pair_parts_.end())
      marks[pair->second.first] = marks[pair->second.second] = true;
    else
      marks[s] = true;
  }
  void accept(Pattern pattern) {
    for (const int s : pattern.reads)
      if (!slot(s).write) mark(used_, s);
    for (const int s : pattern.writes) mark(result_.written, s);
    result_.patterns.push_back(std::move(pattern));
  }

  // Two numbers as one complex value.
  int pair_of(int real, int imaginary) {
    const auto [at, fresh] = pairs_.emplace(std::pair(real, imaginary), static_cast<int>(result_.slots.size()));
    if (fresh) {
      Slot both = slot(real);
      both.number = Number::Complex;
      both.records = 2;
      both.record[1] = slot(imaginary).record[0];
      both.byte[1] = slot(imaginary).byte[0];
      both.epoch = slot(imaginary).epoch;
      result_.slots.push_back(both);
      values_.add(both);
      pair_parts_.emplace(at->second, std::pair(real, imaginary));
    }
    return at->second;
  }

  Slots by_address(Slots slots) const {
    std::stable_sort(slots.begin(), slots.end(), [&](int a, int b) {
      return std::pair(slot(a).buffer, place(a)) < std::pair(slot(b).buffer, place(b));
    });
    return slots;
  }

  bool in_every_sample(const std::function<bool(std::size_t)>& test) const {
    for (std::size_t s = 0; s < values_.count(); ++s)
      if (!test(s)) return false;
    return true;
  }

  // Neighbouring numbers: (x[2i], x[2i + 1]).
  bool interleaved(const Slots& sorted, std::vector<std::pair<int, int>>& pairs) const {
    if (sorted.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < sorted.size(); i += 2) {
      const int a = sorted[i], b = sorted[i + 1];
      const std::uint64_t width = slot(a).width;
      if (slot(a).buffer != slot(b).buffer) return false;
      if (!in_every_sample(
              [&](std::size_t s) { return place(b, s) == place(a, s) + width && place(a, s) % (2 * width) == 0; }))
        return false;
      pairs.emplace_back(a, b);
    }
    return true;
  }

  // All real parts, and the imaginary parts in another buffer or a fixed distance behind them.
  bool planar(const Slots& sorted, const Slots& accessed, std::vector<std::pair<int, int>>& pairs) const {
    const std::size_t half = sorted.size() / 2;
    if (sorted.size() % 2 != 0 || half == 0) return false;
    const bool two_buffers = slot(sorted[0]).buffer != slot(sorted[half]).buffer;
    if (!two_buffers && half < 2) return false;
    for (std::size_t i = 0; i < half; ++i) {
      const int a = sorted[i], b = sorted[i + half];
      if (slot(a).buffer != slot(sorted[0]).buffer || slot(b).buffer != slot(sorted[half]).buffer) return false;
      const auto steady = [&](std::size_t s) {
        const std::uint64_t distance = two_buffers ? 0 : place(sorted[half], s) - place(sorted[0], s);
        return place(b, s) == place(a, s) + distance;
      };
      if (!in_every_sample(steady)) return false;
      pairs.emplace_back(a, b);
    }
    // Of two buffers the one accessed first has the real parts.
    if (two_buffers && slot(accessed.front()).buffer != slot(sorted[0]).buffer)
      for (auto& [a, b] : pairs) std::swap(a, b);
    return true;
  }

  // The view with numbers paired to complex values where runs allow it: within a run, or, `split_first`, with the same places
  // in the run after the next (real parts pass through memory, then imaginary parts).
  Slots complex_view(const std::vector<Run>& runs, bool split_first) {
    std::vector<bool> gone(result_.slots.size());
    Slots extra;
    std::vector<bool> done(runs.size());
    const auto take = [&](const std::vector<std::pair<int, int>>& pairs) {
      for (const auto& [a, b] : pairs) {
        gone[a] = gone[b] = true;
        extra.push_back(pair_of(a, b));
      }
    };
    const auto reals = [&](const Run& run) {
      Slots some;
      std::set<std::pair<int, std::uint64_t>> seen;
      for (const int s : run.slots)
        if (slot(s).number == Number::Real && (run.write || !seen.contains({slot(s).buffer, place(s)}))) {
          seen.emplace(slot(s).buffer, place(s));
          some.push_back(s);
        }
      return some;
    };
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (done[r]) continue;
      const Slots accessed = reals(runs[r]), sorted = by_address(accessed);
      if (sorted.size() < 2) continue;
      if (split_first && r + 2 < runs.size() && runs[r + 2].write == runs[r].write) {
        const Slots second = by_address(reals(runs[r + 2]));
        const auto same_places = [&] {
          if (second.size() != sorted.size()) return false;
          for (std::size_t i = 0; i < sorted.size(); ++i)
            if (slot(sorted[i]).buffer != slot(second[i]).buffer ||
                !in_every_sample([&](std::size_t s) { return place(sorted[i], s) == place(second[i], s); }))
              return false;
          return true;
        };
        if (same_places()) {
          std::vector<std::pair<int, int>> pairs;
          for (std::size_t i = 0; i < sorted.size(); ++i) pairs.emplace_back(sorted[i], second[i]);
          take(pairs);
          done[r + 2] = true;
          continue;
        }
      }
      std::vector<std::pair<int, int>> pairs;
      if (!interleaved(sorted, pairs)) {
        pairs.clear();
        if (!planar(sorted, accessed, pairs)) continue;
      }
      take(pairs);
    }
    Slots view;
    for (const int s : plain_)
      if (!gone[s]) view.push_back(s);
    view.insert(view.end(), extra.begin(), extra.end());
    std::stable_sort(view.begin(), view.end(),
                     [&](int a, int b) { return slot(a).last_record() < slot(b).last_record(); });
    return view;
  }

  // ---- what a run may have read

  // Reads between the run and the writes before it.
  Slots fresh(const std::vector<Run>& runs, std::size_t at, int like) const {
    Slots slots;
    if (at > 0 && !runs[at - 1].write)
      for (const int s : runs[at - 1].slots)
        if (alike(s, like)) slots.push_back(s);
    return slots;
  }

  // Reads of before, the latest ones first, back to the item's beginning or as many as an operation reaches.
  Slots earlier(const std::vector<Run>& runs, std::size_t at, int like, bool unused) const {
    Slots slots;
    std::size_t looked_at = 0;
    for (std::size_t r = at; r-- > 0 && slots.size() < max_points_in_reach && looked_at < 8 * max_points_in_reach;
         ++looked_at)
      if (!runs[r].write)
        for (std::size_t i = runs[r].slots.size(); i-- > 0 && slots.size() < max_points_in_reach; ++looked_at)
          if (const int s = runs[r].slots[i]; alike(s, like) && !(unused && used(s))) slots.push_back(s);
    std::reverse(slots.begin(), slots.end());
    return slots;
  }

  // Numbers of modulus 1 from a buffer that nothing writes: perhaps a table's.
  bool table(int s) const {
    if (!maybe_table(s)) return false;
    if (slot(s).number == Number::Complex && s < std::ssize(plain_)) return unit_buffers_.at(slot(s).buffer);
    return of_modulus_one(s);
  }
  bool of_modulus_one(int s) const {
    return in_every_sample([&](std::size_t i) { return std::abs(std::abs(values_.number(s, i)) - 1) < 1e-4; });
  }
  bool maybe_table(int s) const {
    const int buffer = slot(s).buffer;
    return !slot(s).write && buffer >= 0 && static_cast<std::size_t>(buffer) < only_read_.size() && only_read_[buffer];
  }
  Slots without_tables(const Slots& slots) const {
    Slots some;
    for (const int s : slots)
      if (!table(s)) some.push_back(s);
    return some;
  }
  // One read of each place: the last.
  Slots distinct(const Slots& slots) const {
    Slots some;
    std::set<std::pair<int, std::uint64_t>> seen;
    for (std::size_t i = slots.size(); i-- > 0;)
      if (seen.emplace(slot(slots[i]).buffer, place(slots[i])).second) some.push_back(slots[i]);
    std::reverse(some.begin(), some.end());
    return some;
  }

  double tolerance(int s) const { return slot(s).width == 8 ? options_.double_tolerance : options_.float_tolerance; }

  Pattern pattern_like(int s, LiftedKind kind) const {
    Pattern pattern;
    pattern.kind = kind;
    pattern.number = slot(s).number;
    pattern.width = slot(s).width;
    return pattern;
  }
  bool holds(const Pattern& pattern) const {
    return values_.judge(pattern, tolerance(pattern.writes.front())) == Verdict::Yes;
  }

  // ---- moves

  void copies() {
    for (std::size_t s = 1; s < plain_.size(); ++s)
      if (slot(int(s)).write && slot(int(s)).copy && slot(int(s) - 1).copy && !slot(int(s) - 1).write) {
        Pattern move = pattern_like(int(s), LiftedKind::Move);
        move.reads = {int(s) - 1};
        move.writes = {int(s)};
        accept(std::move(move));
      }
  }

  void moves(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
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
        // The read that no other write took; of several the one accessed first.
        if (best < 0 || std::pair(taken.contains(s), s) < std::pair(taken.contains(best), best)) best = s;
      }
      if (best < 0) continue;
      taken.insert(best);
      found.emplace_back(best, w);
    }
    if (found.empty()) {
      held_moves(runs, at, writes);
      return;
    }
    // A read that went nowhere makes others doubtful: x + 0, or the larger of two, is no move of x.
    if (inputs.size() <= max_points_in_reach) {
      Slots rest;
      for (const int s : inputs)
        if (!taken.contains(s) && !table(s)) rest.push_back(s);
      if (!rest.empty()) {
        if (std::any_of(rest.begin(), rest.end(), [&](int s) { return values_.zero(s); })) return;
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
    if (const Slots left = open_writes(writes); !left.empty()) held_moves(runs, at, left);
  }

  // Moves of values that were read before other writes, where nothing fresh explains them.
  void held_moves(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    if (!fresh(runs, at, writes.front()).empty()) return;
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

  // Complex values made of two real ones.
  void assembled(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    if (slot(writes.front()).number != Number::Complex || at == 0 || runs[at - 1].write) return;
    Slots reals;
    for (const int s : runs[at - 1].slots)
      if (slot(s).number == Number::Real && slot(s).width == slot(writes.front()).width && !values_.zero(s))
        reals.push_back(s);
    if (reals.size() > max_points_in_reach) return;
    for (const int w : writes) {
      int parts[2] = {-1, -1};
      for (const int s : reals)
        for (int p = 0; p < 2; ++p)
          if (parts[p] < 0 && in_every_sample([&](std::size_t i) {
                const Complex whole = values_.number(w, i);
                return (p == 0 ? whole.real() : whole.imag()) == values_.number(s, i).real();
              }))
            parts[p] = s;
      if (parts[0] < 0 || parts[1] < 0) continue;
      Pattern move = pattern_like(w, LiftedKind::Move);
      move.reads = {parts[0], parts[1]};
      move.writes = {w};
      accept(std::move(move));
    }
  }

  // ---- transforms of complex values

  void transforms(const std::vector<Run>& runs) {
    each_writes(runs, [&](std::size_t at, const Slots& writes) {
      if (slot(writes.front()).number == Number::Complex) transform_run(runs, at, writes);
    });
    // What is left: points that are read and written in several runs, first within an epoch, then of the whole item.
    for (const bool whole_item : {false, true}) {
      for (std::size_t at = 0; at < runs.size(); ++at) {
        if (!runs[at].write) continue;
        std::size_t end = at + 1;
        while (end < runs.size() && (whole_item || runs[end].epoch == runs[at].epoch)) ++end;
        Slots writes;
        for (std::size_t r = at; r < end; ++r)
          if (runs[r].write)
            for (const int s : open_writes(runs[r].slots))
              if (slot(s).number == Number::Complex && (writes.empty() || alike(s, writes.front())))
                writes.push_back(s);
        if (writes.size() >= 2 && writes.size() <= 2 * max_points_in_reach) {
          search(earlier(runs, end, writes.front(), true), writes);
          if (Slots left = open_writes(writes); left.size() >= 2) search(earlier(runs, end, left.front(), false), left);
        }
        at = end - 1;
      }
    }
  }

  void transform_run(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    if (writes.size() > max_points_in_reach) {
      // Long runs of writes: what is between two of them that share a read may be found group by group.
      return;
    }
    std::vector<Slots> candidates;
    const auto add = [&](Slots slots) {
      if (!slots.empty() && slots.size() <= max_points_in_reach &&
          std::find(candidates.begin(), candidates.end(), slots) == candidates.end())
        candidates.push_back(std::move(slots));
    };
    const int like = writes.front();
    const Slots inputs = fresh(runs, at, like);
    add(without_tables(inputs));
    add(distinct(without_tables(inputs)));
    add(inputs);
    int blocks = 0;
    for (std::size_t r = at; r-- > 0 && blocks < 4;)
      if (!runs[r].write) {
        Slots block;
        for (const int s : runs[r].slots)
          if (alike(s, like)) block.push_back(s);
        if (block.empty()) continue;
        ++blocks;
        add(without_tables(block));
      }
    const Slots unused = earlier(runs, at, like, true);
    add(without_tables(unused));
    if (unused.size() > writes.size())
      add(Slots(unused.end() - static_cast<std::ptrdiff_t>(writes.size()), unused.end()));
    Slots same_epoch;
    for (const int s : earlier(runs, at, like, false))
      if (slot(s).epoch == runs[at].epoch) same_epoch.push_back(s);
    add(distinct(without_tables(same_epoch)));

    for (const Slots& reads : candidates)
      if (reads.size() == writes.size() && equal_groups(reads, writes)) return;
    for (const Slots& reads : candidates)
      if (pack(reads, writes)) return;
    for (const Slots& reads : candidates)
      if (factors(reads, writes)) return;
  }

  // All writes as butterflies of one radix, whose points are strided or side by side.
  bool equal_groups(const Slots& reads, const Slots& writes) {
    const std::size_t n = reads.size();
    const Slots sorted_reads = by_address(reads), sorted_writes = by_address(writes);
    for (std::size_t radix = std::min<std::size_t>(n, options_.max_radix); radix >= 2; --radix) {
      if (n % radix != 0) continue;
      for (const Slots& in : {sorted_reads, reads})
        for (const Slots& out : {sorted_writes, writes})
          for (const bool strided_in : {true, false})
            for (const bool strided_out : {true, false}) {
              if (radix == n && !(strided_in && strided_out)) continue;
              std::vector<Pattern> found;
              for (std::size_t g = 0; g < n / radix; ++g) {
                Pattern pattern = pattern_like(writes.front(), LiftedKind::Butterfly);
                if (!find_butterfly(point_orders(group(in, radix, g, strided_in), result_.slots, values_),
                                    point_orders(group(out, radix, g, strided_out), result_.slots, values_), values_,
                                    tolerance(writes.front()), pattern))
                  break;
                found.push_back(std::move(pattern));
              }
              if (found.size() != n / radix) continue;
              for (Pattern& pattern : found) accept_with_tables(std::move(pattern));
              return true;
            }
    }
    return false;
  }

  static Slots group(const Slots& slots, std::size_t radix, std::size_t g, bool strided) {
    Slots some;
    for (std::size_t j = 0; j < radix; ++j)
      some.push_back(slots[strided ? j * (slots.size() / radix) + g : g * radix + j]);
    return some;
  }

  bool pack(const Slots& reads, const Slots& writes) {
    if (reads.size() != 2 || writes.size() != 2) return false;
    Pattern pattern = pattern_like(writes[0], LiftedKind::Pack);
    if (values_.zero(reads[0]) || values_.zero(reads[1])) return false;
    for (const bool swap_in : {false, true})
      for (const bool swap_out : {false, true}) {
        pattern.reads = swap_in ? Slots{reads[1], reads[0]} : reads;
        const Slots sorted = by_address(writes);
        pattern.writes = swap_out ? Slots{sorted[1], sorted[0]} : sorted;
        if (!holds(pattern)) continue;
        accept_with_tables(pattern);
        return true;
      }
    return false;
  }

  // Butterflies whose points are anywhere among these: in equal steps of address, or accessed one after another.
  void search(const Slots& all_reads, Slots writes) {
    Slots reads = distinct(without_tables(all_reads));
    for (int radix = options_.max_radix; radix >= 2; --radix) {
      const auto r = static_cast<std::size_t>(radix);
      bool again = true;
      while (again && reads.size() >= r && writes.size() >= r) {
        again = false;
        const std::vector<Slots> ins = groups(reads, r), outs = groups(writes, r);
        if (ins.size() * outs.size() > max_group_pairs) break;
        for (const Slots& out : outs) {
          for (const Slots& in : ins) {
            Pattern pattern = pattern_like(out.front(), LiftedKind::Butterfly);
            if (!find_butterfly(point_orders(in, result_.slots, values_), point_orders(out, result_.slots, values_),
                                values_, tolerance(out.front()), pattern))
              continue;
            std::erase_if(writes, [&](int s) { return std::find(out.begin(), out.end(), s) != out.end(); });
            std::erase_if(reads, [&](int s) { return std::find(in.begin(), in.end(), s) != in.end(); });
            accept_with_tables(std::move(pattern));
            again = true;
            break;
          }
          if (again) break;
        }
      }
    }
  }

  std::vector<Slots> groups(const Slots& slots, std::size_t size) const {
    std::vector<Slots> found;
    const auto add = [&](Slots some) {
      if (std::find(found.begin(), found.end(), some) == found.end()) found.push_back(std::move(some));
    };
    const Slots sorted = by_address(slots);
    std::map<std::pair<int, std::uint64_t>, int> at;
    for (const int s : sorted) at[{slot(s).buffer, place(s)}] = s;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      for (std::size_t j = i + 1; j < sorted.size() && slot(sorted[j]).buffer == slot(sorted[i]).buffer; ++j) {
        const std::uint64_t step = place(sorted[j]) - place(sorted[i]);
        Slots some = {sorted[i]};
        while (step > 0 && some.size() < size) {
          const auto next = at.find({slot(sorted[i]).buffer, place(some.back()) + step});
          if (next == at.end()) break;
          some.push_back(next->second);
        }
        if (some.size() == size) add(std::move(some));
      }
    for (std::size_t i = 0; i + size <= slots.size(); ++i)
      add(by_address(Slots(slots.begin() + static_cast<std::ptrdiff_t>(i),
                           slots.begin() + static_cast<std::ptrdiff_t>(i + size))));
    return found;
  }

  // ---- factors

  bool factors(const Slots& reads, const Slots& writes) {
    if (reads.size() == writes.size() && factor_group(reads, writes)) return true;
    bool all = true;
    for (const int w : writes) {
      bool found = false;
      for (const int r : reads) found = found || factor_group({r}, {w});
      all = all && found;
    }
    return all;
  }

  // Each write a read times a factor: of one modulus, or the same real one.
  bool factor_group(const Slots& reads, const Slots& writes) {
    double up = 0, down = 0;
    std::set<long> sizes;  // in steps of 1/500
    Complex factor = 0;
    for (std::size_t i = 0; i < reads.size(); ++i)
      for (std::size_t s = 0; s < values_.count(); ++s) {
        const Complex in = values_.number(reads[i], s), out = values_.number(writes[i], s);
        if ((in == 0.0) != (out == 0.0)) return false;
        if (in == 0.0) continue;
        up += std::norm(out);
        down += std::norm(in);
        sizes.insert(std::lround(500 * std::log(std::abs(in))));
        if (std::norm(in) >= 0.5 * down / double(sizes.size())) factor = out / in;
      }
    if (sizes.size() < 3 || !(down > 0) || !std::isfinite(up)) return false;
    double scale = std::sqrt(up / down);
    if (std::abs(scale - 1) < 1e-5) scale = 1;
    // Tried for each of the pairs: the same factor, then the same modulus.
    for (const LiftedKind kind : {LiftedKind::Scale, LiftedKind::Rotate}) {
      if (kind == LiftedKind::Rotate && slot(writes[0]).number != Number::Complex) break;
      std::vector<Pattern> found;
      for (std::size_t i = 0; i < reads.size(); ++i) {
        Pattern pattern = pattern_like(writes[i], kind);
        pattern.reads = {reads[i]};
        pattern.writes = {writes[i]};
        pattern.scale = scale;
        if (kind == LiftedKind::Scale) pattern.coefficients = {Complex(factor.real(), 0)};
        const Verdict verdict = values_.judge(pattern, tolerance(writes[i]));
        if (verdict == Verdict::No || (verdict == Verdict::Empty && reads.size() == 1)) break;
        found.push_back(std::move(pattern));
      }
      if (found.size() != reads.size()) continue;
      for (Pattern& pattern : found) accept_with_tables(std::move(pattern));
      return true;
    }
    return false;
  }

  // Coefficients that the item read from a table: the exact ones.
  void accept_with_tables(Pattern pattern) {
    std::size_t count = pattern.kind == LiftedKind::Butterfly                                    ? pattern.reads.size()
                        : pattern.kind == LiftedKind::Rotate || pattern.kind == LiftedKind::Pack ? 1
                                                                                                 : 0;
    if (count > 0) {
      std::uint32_t last = 0;
      for (const int s : pattern.writes) last = std::max(last, slot(s).last_record());
      Slots tables;
      const auto end =
          std::partition_point(plain_.begin(), plain_.end(), [&](int s) { return slot(s).last_record() < last; });
      for (auto at = end; at != plain_.begin() && tables.size() < max_points_in_reach;) {
        const int s = *--at;
        if (end - at > std::ptrdiff_t(4 * max_points_in_reach)) break;
        if (alike(s, pattern.writes[0]) && table(s) &&
            std::find(pattern.reads.begin(), pattern.reads.end(), s) == pattern.reads.end())
          tables.push_back(s);
      }
      std::reverse(tables.begin(), tables.end());
      if (!tables.empty()) match_tables(pattern, tables, count);
    }
    accept(std::move(pattern));
  }

  void match_tables(Pattern& pattern, const Slots& tables, std::size_t count) {
    const double bound = 50 * tolerance(pattern.writes[0]);
    std::vector<std::vector<Complex>> coefficients(values_.count(), std::vector<Complex>(count));
    std::vector<Complex> in(pattern.reads.size()), out(pattern.writes.size());
    for (std::size_t s = 0; s < values_.count(); ++s) {
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = values_.number(pattern.reads[i], s);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = values_.number(pattern.writes[i], s);
      twiddle::judge(pattern, {in.data(), out.data(), nullptr, nullptr}, tolerance(pattern.writes[0]),
                     coefficients[s].data());
    }
    pattern.tables.assign(count, -1);
    pattern.conjugated.assign(count, false);
    bool any = false;
    for (std::size_t c = 0; c < count; ++c) {
      if (c == 0 && pattern.kind == LiftedKind::Butterfly && !pattern.free_first) continue;
      // The latest that fits: of a loop's reads, this round's.
      for (std::size_t t = tables.size(); t-- > 0 && pattern.tables[c] < 0;)
        for (const bool conjugated : {false, true}) {
          std::size_t telling = 0;
          const bool fits = in_every_sample([&](std::size_t s) {
            const Complex value = values_.number(tables[t], s), own = coefficients[s][c];
            if (std::isnan(own.real())) return true;
            ++telling;
            return std::abs((conjugated ? std::conj(value) : value) - own) <= bound;
          });
          if (!fits || telling == 0) continue;
          pattern.tables[c] = tables[t];
          pattern.conjugated[c] = conjugated;
          mark(used_, tables[t]);
          any = true;
          break;
        }
    }
    if (!any) pattern.tables.clear();
  }

  // ---- sums, extremes, products

  void reductions(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    const int like = writes.front();
    const Slots inputs = fresh(runs, at, like);
    const bool tables = std::any_of(inputs.begin(), inputs.end(), [&](int s) { return table(s); });
    for (const int w : writes) {
      if (explained(w)) continue;
      if (inputs.size() >= 2 && writes.size() == 1 && reduction(inputs, w)) continue;
      if (tables && writes.size() == 1 && reduction(without_tables(inputs), w)) continue;
      // With what the item wrote just before, and still holds.
      if (const int held = last_written(w); held >= 0 && !inputs.empty()) {
        Slots with_held = {held};
        with_held.insert(with_held.end(), inputs.begin(), inputs.end());
        if (reduction(with_held, w, true)) continue;
      }
      if (inputs.size() > 2 && inputs.size() <= max_points_in_reach && pair_reduction(inputs, w)) continue;
      if (inputs.size() == 2 && writes.size() > 1 && reduction(inputs, w)) continue;
      if (writes.size() > 1 && inputs.size() >= 2 * writes.size() && chunk_reduction(inputs, writes, w)) continue;
      // With values of before: the fewest of the latest ones.
      const Slots held = earlier(runs, at, like, true);
      for (std::size_t n = inputs.size() + 1; n <= held.size() && !explained(w); ++n)
        if (n >= 2) reduction(Slots(held.end() - static_cast<std::ptrdiff_t>(n), held.end()), w, true);
    }
    each_factor(runs, at, open_writes(writes));
  }

  void each_factor(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    if (writes.empty() || slot(writes.front()).number != Number::Real) return;
    const Slots inputs = fresh(runs, at, writes.front());
    if (!inputs.empty() && inputs.size() <= max_points_in_reach && writes.size() <= max_points_in_reach)
      factors(inputs, writes);
  }

  int last_written(int before) const {
    for (int s = before - 1; s >= 0; --s)
      if (slot(s).write) return alike(s, before) ? s : -1;
    return -1;
  }

  // The smaller and the larger of a few: before two numbers side by side are taken for one complex value, which a change of
  // places turns.
  void extremes(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    const Slots inputs = fresh(runs, at, writes.front());
    if (inputs.size() < 2 || inputs.size() > 16 || writes.size() > inputs.size() || !speaks(inputs)) return;
    if (telling(inputs, 2) < 2) return;
    if (slot(writes.front()).number == Number::Complex || values_.count() < 2) return;
    for (const int w : writes)
      for (const LiftedKind kind : {LiftedKind::Minimum, LiftedKind::Maximum}) {
        Pattern pattern = pattern_like(w, kind);
        pattern.reads = inputs;
        pattern.writes = {w};
        if (!holds(pattern)) continue;
        accept(std::move(pattern));
        break;
      }
  }

  bool speaks(const Slots& reads) const {
    return std::none_of(reads.begin(), reads.end(), [&](int s) { return values_.zero(s); });
  }

  // Samples in which at least `count` of the reads are not zero.
  std::size_t telling(const Slots& reads, std::size_t count) const {
    std::size_t samples = 0;
    for (std::size_t s = 0; s < values_.count(); ++s) {
      std::size_t some = 0;
      for (std::size_t i = 0; i < reads.size() && some < count; ++i) some += values_.number(reads[i], s) != 0.0;
      samples += some >= count;
    }
    return samples;
  }

  // A sum, extreme or product of all these. `sums_only` where many sets are tried and the others would fit one by chance.
  bool reduction(const Slots& reads, int w, bool sums_only = false) {
    if (reads.size() < 2 || telling(reads, 2) == 0) return false;
    // Of many values some may be zero, and their sum is still that of all.
    const auto zeros = std::count_if(reads.begin(), reads.end(), [&](int s) { return values_.zero(s); });
    if (zeros > 0 && (sums_only || reads.size() < 4 || 2 * static_cast<std::size_t>(zeros) > reads.size()))
      return false;
    for (const LiftedKind kind : {LiftedKind::Sum, LiftedKind::Maximum, LiftedKind::Minimum, LiftedKind::Product}) {
      if (kind != LiftedKind::Sum && sums_only) break;
      if (slot(w).number == Number::Complex && (kind == LiftedKind::Maximum || kind == LiftedKind::Minimum)) continue;
      if (kind == LiftedKind::Product && telling(reads, reads.size()) < 2) continue;
      Pattern pattern = pattern_like(w, kind);
      pattern.reads = reads;
      pattern.writes = {w};
      if (!holds(pattern)) continue;
      accept(std::move(pattern));
      return true;
    }
    return false;
  }

  bool pair_reduction(const Slots& inputs, int w) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      for (std::size_t j = i + 1; j < inputs.size(); ++j)
        if (reduction({inputs[i], inputs[j]}, w, true)) return true;
    return false;
  }

  bool chunk_reduction(const Slots& inputs, const Slots& writes, int w) {
    if (inputs.size() % writes.size() != 0) return false;
    const auto g = static_cast<std::size_t>(std::find(writes.begin(), writes.end(), w) - writes.begin());
    const std::size_t each = inputs.size() / writes.size();
    return reduction(group(inputs, each, g, true), w) || reduction(group(inputs, each, g, false), w);
  }

  void real_butterflies(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    if (slot(writes.front()).number != Number::Real || writes.size() > max_points_in_reach) return;
    const Slots inputs = fresh(runs, at, writes.front());
    if (inputs.size() != writes.size() || inputs.size() < 2) return;
    const Slots in = by_address(inputs), out = by_address(writes);
    for (std::size_t g = 0; 2 * g + 1 < in.size(); ++g)
      for (const bool strided : {true, false}) {
        Pattern pattern = pattern_like(writes.front(), LiftedKind::Butterfly);
        const Slots written = group(out, 2, g, strided);
        if (explained(written[0]) || explained(written[1])) continue;
        if (find_butterfly(point_orders(group(in, 2, g, strided), result_.slots, values_),
                           point_orders(written, result_.slots, values_), values_, tolerance(written[0]), pattern))
          accept(std::move(pattern));
      }
  }

  // ---- other sums

  void linear(const std::vector<Run>& runs, std::size_t at, const Slots& writes, bool complex) {
    const Number number = slot(writes.front()).number;
    if (number == Number::Whole || complex != (number == Number::Complex)) return;
    const Slots every = fresh(runs, at, writes.front()), all = distinct(every);
    if (all.empty()) return;
    for (const int w : writes) {
      if (dot_product(every, w) || fourier_sum(every, w)) continue;
      if (all.size() <= 12 && values_.count() >= all.size() + 3) weighted_sum(all, w);
    }
  }

  // Values times others that were read beside them: a row of a matrix, a table.
  bool dot_product(const Slots& all, int w) {
    if (all.size() % 2 != 0 || all.size() < 4) return false;
    const std::size_t n = all.size() / 2;
    for (const bool alternating : {true, false}) {
      Slots first, second;
      for (std::size_t i = 0; i < n; ++i) {
        first.push_back(alternating ? all[2 * i] : all[i]);
        second.push_back(alternating ? all[2 * i + 1] : all[n + i]);
      }
      std::size_t decisive_samples = 0;
      const bool fits = in_every_sample([&](std::size_t s) {
        Complex sum = 0;
        double size = 0;
        std::size_t terms = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const Complex term = times(values_.number(first[i], s), values_.number(second[i], s));
          sum += term;
          size += std::abs(term);
          terms += term != 0.0;
        }
        decisive_samples += terms >= 2;
        return std::abs(sum - values_.number(w, s)) <= tolerance(w) / 4 * size;
      });
      if (!fits || decisive_samples < std::min<std::size_t>(values_.count(), 2)) continue;
      Pattern pattern = pattern_like(w, LiftedKind::Linear);
      const bool table_second =
          !table(first[0]) && (table(second[0]) || slot(second[0]).buffer > slot(first[0]).buffer);
      pattern.reads = table_second ? first : second;
      pattern.tables = table_second ? second : first;
      pattern.conjugated.assign(n, false);
      pattern.writes = {w};
      accept(std::move(pattern));
      return true;
    }
    return false;
  }

  // One point of the reads' Fourier transform.
  bool fourier_sum(const Slots& all, int w) {
    const Slots reads = without_tables(all);
    if (reads.size() < 3 || reads.size() > max_terms || slot(w).number != Number::Complex) return false;
    if (std::count_if(reads.begin(), reads.end(), [&](int s) { return !values_.zero(s); }) < 2) return false;
    Pattern pattern = pattern_like(w, LiftedKind::Linear);
    pattern.fourier = true;
    pattern.reads = reads;
    pattern.writes = {w};
    for (const int sign : {-1, 1}) {
      pattern.sign = sign;
      if (!holds(pattern)) continue;
      accept(std::move(pattern));
      return true;
    }
    return false;
  }

  // One set of coefficients for all items, by least squares.
  bool weighted_sum(const Slots& reads, int w) {
    const std::size_t n = reads.size();
    if (telling(reads, 1) < n + 2 || (n > 1 && telling(reads, 2) < n)) return false;
    std::vector<std::size_t> all(values_.count());
    std::iota(all.begin(), all.end(), std::size_t(0));
    const std::vector<Complex> fit = fitted(reads, w, all, nullptr);
    if (fit.empty()) return false;
    Pattern pattern = pattern_like(w, LiftedKind::Linear);
    for (std::size_t i = 0; i < n; ++i) {
      Complex coefficient = fit[i];
      // Small fractions are what kernels have; the fit is only as good as the values.
      if (const double near = std::round(coefficient.real() * 64) / 64; std::abs(coefficient.real() - near) < 1e-6)
        coefficient = {near, coefficient.imag()};
      if (std::abs(coefficient.imag()) < 1e-7) coefficient = {coefficient.real(), 0};
      if (std::abs(coefficient) < 1e-7) continue;
      pattern.coefficients.push_back(coefficient);
      pattern.reads.push_back(reads[i]);
    }
    pattern.writes = {w};
    if (pattern.reads.empty() || !holds(pattern)) return false;
    accept(std::move(pattern));
    return true;
  }

  // The coefficients that give a write from reads best, over some samples; empty: these do not tell.
  std::vector<Complex> fitted(const Slots& reads, int w, const std::vector<std::size_t>& over, double* residual) const {
    std::vector<Complex> rows, right;
    for (const std::size_t s : over) {
      for (const int r : reads) rows.push_back(values_.number(r, s));
      right.push_back(values_.number(w, s));
    }
    std::vector<Complex> x = least_squares(rows, right, reads.size());
    if (residual && !x.empty()) *residual = relative_residual(rows, right, x);
    return x;
  }

  // ---- what probes tell

  // The reads that each write depends on, by the probes of one item; writes of the same reads may be a butterfly however their
  // addresses are, and what is left is a sum with coefficients of each item's own.
  void by_probes(const std::vector<Run>& runs) {
    if (probed_.size() < 6) return;
    std::map<Slots, Slots> writes_of;
    for (std::size_t at = 0; at < runs.size(); ++at) {
      if (!runs[at].write) continue;
      for (const int w : open_writes(runs[at].slots))
        if (slot(w).number != Number::Whole)
          if (Slots reads = dependencies(runs, at, w); !reads.empty()) writes_of[std::move(reads)].push_back(w);
    }
    for (const auto& [reads, writes] : writes_of) {
      if (reads.size() == writes.size() && reads.size() >= 2 &&
          reads.size() <= static_cast<std::size_t>(options_.max_radix)) {
        Pattern pattern = pattern_like(writes.front(), LiftedKind::Butterfly);
        std::vector<Slots> read_orders = point_orders(reads, result_.slots, values_);
        std::vector<Slots> write_orders = point_orders(writes, result_.slots, values_);
        if (Slots in, out; order_of_roots(reads, by_address(writes), in, out)) {
          read_orders.push_back(std::move(in));
          write_orders.push_back(std::move(out));
        }
        if ((pattern.number == Number::Complex || reads.size() == 2) &&
            find_butterfly(read_orders, write_orders, values_, tolerance(writes.front()), pattern)) {
          accept_with_tables(std::move(pattern));
          continue;
        }
      }
      for (const int w : writes) {
        Pattern pattern = pattern_like(w, LiftedKind::Linear);
        pattern.by_probes = true;
        pattern.reads = reads;
        pattern.writes = {w};
        accept(std::move(pattern));
      }
    }
  }

  // Points in the order that their coefficients tell, which are a transform's matrix times a twiddle a row or a column. The first
  // write has number 0; so has the read (or the write, with twiddles behind) whose coefficients are all 1.
  bool order_of_roots(const Slots& reads, const Slots& writes, Slots& in, Slots& out) const {
    const std::size_t n = reads.size();
    std::vector<std::vector<Complex>> rows;
    for (const int w : writes) {
      rows.push_back(fitted(reads, w, probed_, nullptr));
      if (rows.back().empty()) return false;
    }
    const auto all_alike = [&](auto coefficient) {
      for (std::size_t i = 1; i < n; ++i)
        if (std::abs(coefficient(i) - coefficient(0)) > 1e-3 * std::abs(coefficient(0))) return false;
      return true;
    };
    std::size_t first_row = 0, first_column = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (all_alike([&](std::size_t i) { return rows[i][k]; })) first_column = k;
      if (all_alike([&](std::size_t i) { return rows[k][i]; })) first_row = k;
    }
    // What is left when both factors are gone: roots of unity, by their numbers.
    std::vector<std::vector<std::size_t>> power(n, std::vector<std::size_t>(n));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        const Complex ratio = rows[j][k] * rows[first_row][first_column] / (rows[j][first_column] * rows[first_row][k]);
        const double turns = -std::arg(ratio) / (2 * M_PI) * double(n), whole = std::round(turns);
        if (std::abs(turns - whole) > 0.02 || std::abs(std::abs(ratio) - 1) > 0.02) return false;
        power[j][k] = static_cast<std::size_t>(static_cast<long>(whole) + static_cast<long>(n)) % n;
      }
    // A row whose numbers are all different is that of output 1, or as good as it; the outputs' numbers are those in the column
    // of input 1.
    for (std::size_t j = 0; j < n; ++j) {
      in.assign(n, -1);
      out.assign(n, -1);
      std::size_t one = n;
      for (std::size_t k = 0; k < n; ++k) {
        in[power[j][k]] = reads[k];
        if (power[j][k] == 1) one = k;
      }
      if (one == n || std::find(in.begin(), in.end(), -1) != in.end()) continue;
      for (std::size_t i = 0; i < n; ++i) out[power[i][one]] = writes[i];
      if (std::find(out.begin(), out.end(), -1) == out.end()) return true;
    }
    return false;
  }

  Slots dependencies(const std::vector<Run>& runs, std::size_t at, int w) const {
    Slots reads;
    for (std::size_t r = at; r-- > 0;) {
      if (runs[r].write) continue;
      Slots more;
      for (const int s : runs[r].slots)
        if (alike(s, w) && in_some_probe_different(s)) more.push_back(s);
      if (more.empty()) continue;
      more.insert(more.end(), reads.begin(), reads.end());
      reads = distinct(more);
      if (reads.size() > max_points_in_reach || reads.size() + 4 > probed_.size()) return {};
      double residual = 0;
      const std::vector<Complex> fit = fitted(reads, w, probed_, &residual);
      if (fit.empty() || residual > 5 * tolerance(w)) continue;
      double largest = 0;
      for (const Complex& c : fit) largest = std::max(largest, std::abs(c));
      Slots needed;
      for (std::size_t i = 0; i < reads.size(); ++i)
        if (std::abs(fit[i]) > 1e-3 * largest) needed.push_back(reads[i]);
      std::sort(needed.begin(), needed.end());
      return needed;
    }
    return {};
  }
  // Values that all probes agree on are coefficients, not inputs.
  bool in_some_probe_different(int s) const {
    return std::any_of(probed_.begin(), probed_.end(),
                       [&](std::size_t i) { return values_.bits(s, i) != values_.bits(s, probed_.front()); });
  }

  // ---- constants

  void constants(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
    const Slots inputs = fresh(runs, at, writes.front());
    // Zeros after zeros may be anything.
    const Slots held = earlier(runs, at, writes.front(), false);
    const bool told = std::none_of(held.begin(), held.end(), [&](int s) { return values_.zero(s); });
    if (!told) return;
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

  // ---- at the end

  void open_run(const std::vector<Run>& runs, std::size_t at) {
    OpenRun open;
    open.writes = runs[at].slots;
    if (at > 0 && !runs[at - 1].write) open.reads = runs[at - 1].slots;
    if (open.reads.size() + open.writes.size() > 4 * max_points_in_reach) return;
    for (const Slots* slots : {&open.reads, &open.writes}) {
      for (const int s : *slots) open.sites.push_back(slot(s).site);
      open.sites.push_back(0xffffffff);
    }
    result_.runs.push_back(std::move(open));
  }

  // A value that its place no longer holds when the operation is done, because the item wrote there, and that is elsewhere by
  // then: in the place that the item wrote it to.
  void freshen(Pattern& pattern) {
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
        if (slot(s).write && alike(s, read) && values_.print(s) == values_.print(read) && !overwritten(s, end)) {
          read = s;
          changed = true;
          break;
        }
    }
    if (changed) pattern.reads = by_address(pattern.reads);
  }
  bool overwritten(int read, std::uint32_t end) const {
    const auto found = written_at_.find({slot(read).buffer, place(read)});
    if (found == written_at_.end()) return false;
    const auto next = std::upper_bound(found->second.begin(), found->second.end(), slot(read).last_record());
    return next != found->second.end() && *next < end;
  }

  const LiftOptions& options_;
  Explanation result_;
  SampledValues values_;
  const std::vector<bool>& only_read_;
  std::vector<std::size_t> probed_;  // samples of one item on random inputs
  std::vector<bool> used_;           // reads
  Slots plain_;                      // the shape's own slots
  std::map<std::pair<int, std::uint64_t>, std::vector<std::uint32_t>> written_at_;  // the last records of its writes
  std::map<int, bool> unit_buffers_;  // of complex values that are only read: all have modulus 1
  std::map<std::pair<int, int>, int> pairs_;
  std::unordered_map<int, std::pair<int, int>> pair_parts_;
};

}  // namespace

void SampledValues::add(const Slot& slot) {
  std::uint64_t print = 0x9e3779b97f4a7c15ULL;
  bool zero = true;
  for (const Sample& sample : samples_) {
    number_.push_back(number_of(*sample.log, slot, sample.base));
    bits_.push_back(bits_of(*sample.log, slot, sample.base));
    offset_.push_back(offset_of(*sample.log, slot, sample.base));
    print = (print ^ bits_.back()) * 0xbf58476d1ce4e5b9ULL;
    print ^= print >> 31;
    zero = zero && number_.back() == 0.0;
  }
  print_.push_back(print);
  zero_.push_back(zero);
}

Verdict SampledValues::judge(const Pattern& pattern, double tolerance) const {
  const std::size_t reads = pattern.reads.size(), writes = pattern.writes.size();
  std::vector<Complex> numbers(reads + writes);
  std::vector<std::uint64_t> bits(reads + writes);
  Verdict all = Verdict::Empty;
  for (std::size_t s = 0; s < count(); ++s) {
    for (std::size_t i = 0; i < reads + writes; ++i) {
      const int slot = i < reads ? pattern.reads[i] : pattern.writes[i - reads];
      numbers[i] = number(slot, s);
      bits[i] = this->bits(slot, s);
    }
    const Held held{numbers.data(), numbers.data() + reads, bits.data(), bits.data() + reads};
    const Verdict verdict = twiddle::judge(pattern, held, tolerance, nullptr);
    if (verdict == Verdict::No) return Verdict::No;
    if (verdict == Verdict::Yes) all = Verdict::Yes;
  }
  return all;
}

Explanation explain(const ItemShape& shape, const std::vector<Sample>& samples, const LiftOptions& options,
                    const std::vector<bool>& only_read) {
  return Explainer(shape, samples, options, only_read).run();
}

}  // namespace twiddle
