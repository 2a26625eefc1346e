// Factors, and the tables that coefficients were read from.
#include "tracer/lift/explain/explainer.h"

#include <cmath>
#include <optional>

namespace twiddle {

bool Explainer::factors(const Slots& reads, const Slots& writes, bool alone) {
  if (reads.size() == writes.size() && factor_group(reads, writes, alone)) return true;
  // Beside a read that is always zero any sum of both looks like a factor of the other.
  if (reads.size() > 1 && !speaks(reads)) return false;
  bool all = true;
  for (const int w : writes) {
    bool found = explained(w);  // as another candidate's
    for (const int r : reads) found = found || factor_group({r}, {w}, false);
    all = all && found;
  }
  return all;
}

bool Explainer::turned(const Slots& reads, const Slots& writes) const {
  std::set<std::int64_t> turns;
  std::size_t telling = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const int buffer = slot(reads[i]).buffer;
    if (slot(reads[i]).number != Number::Complex || buffer < 0 || static_cast<std::size_t>(buffer) >= turns_.size())
      return false;
    const auto order = static_cast<std::int64_t>(turns_[static_cast<std::size_t>(buffer)] / 4);
    const double bound = tolerance(writes[i]) / 10;
    if (order < 4 || 2 * M_PI / double(order) < 100 * bound) return false;
    for (std::size_t s = 0; s < values_.count(); ++s) {
      const Complex in = values_.number(reads[i], s), out = values_.number(writes[i], s);
      if (in == 0.0) continue;
      if (!std::isfinite(std::abs(out / in))) return false;
      const std::int64_t turn = std::llround(std::arg(out / in) / (2 * M_PI) * double(order));
      if (!(std::abs(out - times(in, root(turn, order))) <= bound * std::abs(in))) return false;
      turns.insert((turn + order) % order);
      ++telling;
    }
  }
  return telling >= 4 && turns.size() >= 2 && std::any_of(turns.begin(), turns.end(), [&](std::int64_t turn) {
           return 2 * turn % static_cast<std::int64_t>(turns_[static_cast<std::size_t>(slot(reads[0]).buffer)] / 4) !=
                  0;
         });
}

bool Explainer::factor_group(const Slots& reads, const Slots& writes, bool alone) {
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
  if (!(down > 0) || !std::isfinite(up) || (sizes.size() < 3 && !(alone && turned(reads, writes)))) return false;
  double scale = std::sqrt(up / down);
  if (std::abs(scale - 1) < 1e-5) scale = 1;
  // Tried for each of the pairs: the same factor, then the same modulus.
  for (const LiftedKind kind : {LiftedKind::Scale, LiftedKind::Rotate}) {
    if (kind == LiftedKind::Rotate && (slot(writes[0]).number != Number::Complex || mirror_images(reads, writes)))
      break;
    std::vector<Pattern> found;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      Pattern pattern = pattern_like(writes[i], kind);
      pattern.reads = {reads[i]};
      pattern.writes = {writes[i]};
      pattern.scale = scale;
      if (kind == LiftedKind::Scale) pattern.coefficients = {Complex(factor.real(), 0)};
      const Holds verdict = values_.judge(pattern, tolerance(writes[i]));
      if (verdict == Holds::No || (verdict == Holds::Empty && reads.size() == 1)) break;
      found.push_back(std::move(pattern));
    }
    if (found.size() != reads.size()) continue;
    if (kind == LiftedKind::Scale && factor.real() != -1 &&
        std::equal(reads.begin(), reads.end(), writes.begin(), [&](int r, int w) { return adds_a_count(r, w); }))
      return false;
    for (Pattern& pattern : found) accept_with_tables(std::move(pattern));
    return true;
  }
  return false;
}

bool Explainer::mirror_images(const Slots& reads, const Slots& writes) const {
  std::optional<Complex> factor;
  return in_every_sample([&](std::size_t s) {
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const Complex in = std::conj(values_.number(reads[i], s)), out = values_.number(writes[i], s);
      if (in == 0.0) continue;
      if (!factor) factor = out / in;
      if (!(std::abs(out - times(*factor, in)) <= tolerance(writes[i]) * std::abs(out))) return false;
    }
    return true;
  });
}

void Explainer::accept_with_tables(Pattern pattern) {
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

void Explainer::match_tables(Pattern& pattern, const Slots& tables, std::size_t count) {
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

void Explainer::each_factor(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  if (writes.empty() || slot(writes.front()).number != Number::Real) return;
  const Slots inputs = fresh(runs, at, writes.front());
  if (!inputs.empty() && inputs.size() <= max_points_in_reach && writes.size() <= max_points_in_reach)
    factors(inputs, writes, false);
}

}  // namespace twiddle
