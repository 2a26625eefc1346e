// Butterflies whose points are multiplied by factors from a table, and that are more than that: their outputs get factors of each
// item's own behind them, as in the second pass of a transform of two dimensions, or some outputs are not stored, because they are
// others' conjugates.
#include "tracer/lift/explain/explainer.h"

namespace twiddle {
namespace {

constexpr std::size_t max_table_windows = 16;  // of factors that follow one another
constexpr std::size_t min_radix = 2;

}  // namespace

void Explainer::turned_on_both_sides(const std::vector<Run>& runs) {
  if (values_.count() < 2) return;
  each_writes(runs, [&](std::size_t at, const Slots& writes) {
    const std::size_t n = writes.size();
    if (slot(writes[0]).number != Number::Complex || n < 2 || n > max_points_in_reach) return;
    const Slots all = earlier(runs, at, writes[0], false);
    const auto points_of = [&](const Slots& slots) {
      Slots points;
      for (const int s : slots)
        if (alike(s, writes[0]) && !maybe_table(s)) points.push_back(s);
      return points.empty() ? without_tables(slots) : points;
    };
    // As many as are written, the last ones; and those that were read together last.
    std::vector<Slots> choices;
    Slots points = points_of(all);
    if (points.size() < n) points = without_tables(all);
    if (points.size() >= n) choices.emplace_back(points.end() - static_cast<std::ptrdiff_t>(n), points.end());
    Slots together;
    for (std::size_t r = at; r-- > 0 && together.empty();)
      if (!runs[r].write) {
        Slots block;
        std::copy_if(runs[r].slots.begin(), runs[r].slots.end(), std::back_inserter(block),
                     [&](int s) { return alike(s, writes[0]); });
        together = points_of(block);
      }
    if (together.size() > n && together.size() <= max_points_in_reach) choices.push_back(std::move(together));
    for (const Slots& from : choices) {
      Slots tables;  // what was read of them since
      for (const int s : all)
        if (table(s) && slot(s).record[0] > slot(from.front()).record[0]) tables.push_back(s);
      if (turned_groups(from, tables, writes)) return;
    }
  });
}

bool Explainer::turned_groups(const Slots& reads, const Slots& tables, const Slots& writes) {
  if (std::any_of(reads.begin(), reads.end(), [&](int s) { return values_.zero(s); })) return false;
  for (std::size_t radix = std::min<std::size_t>(reads.size(), options_.max_radix); radix >= min_radix; --radix) {
    const std::size_t count = reads.size() / radix;
    if (reads.size() % radix != 0 || writes.size() % count != 0 || writes.size() > reads.size()) continue;
    for (const Slots& in : {by_address(reads), reads})
      for (const Slots& out : {by_address(writes), writes})
        for (const bool strided_in : {true, false})
          for (const bool strided_out : {true, false}) {
            if (count == 1 && !(strided_in && strided_out)) continue;
            for (std::size_t t = 0; t + count * (radix - 1) <= tables.size() && t < max_table_windows; ++t) {
              std::vector<Pattern> found;
              bool all = true;
              for (std::size_t g = 0; g < count && all; ++g) {
                const auto first = tables.begin() + static_cast<std::ptrdiff_t>(t + g * (radix - 1));
                all = turned_outputs(group(in, radix, g, strided_in),
                                     Slots(first, first + static_cast<std::ptrdiff_t>(radix - 1)),
                                     group(out, writes.size() / count, g, strided_out), found);
              }
              if (!all) continue;
              for (Pattern& pattern : found) {
                for (const int s : pattern.tables)
                  if (s >= 0) mark(used_, s);
                accept(std::move(pattern));
              }
              return true;
            }
          }
  }
  return false;
}

bool Explainer::turned_outputs(const Slots& reads, const Slots& tables, const Slots& writes,
                               std::vector<Pattern>& found) {
  const std::size_t n = reads.size(), known = found.size();
  const auto fits = [&](const Pattern& pattern) {
    return in_every_sample([&](std::size_t s) {
      std::vector<Complex> values, row;
      for (const int read : reads) values.push_back(values_.number(read, s));
      for (const int t : pattern.tables) row.push_back(t < 0 ? 1 : values_.number(t, s));
      const Complex written = values_.number(pattern.writes[0], s);
      return judge(pattern, {values.data(), &written, nullptr, nullptr}, tolerance(writes[0]), row.data()) != Holds::No;
    });
  };
  for (const int sign : {-1, 1})
    for (const bool conjugated : {false, true}) {
      found.resize(known);
      Pattern pattern = pattern_like(writes[0], LiftedKind::Linear);
      pattern.turned = true;
      pattern.sign = sign;
      pattern.reads = reads;
      pattern.tables = {-1};
      for (const int s : tables) pattern.tables.push_back(conjugated ? derived(Derived::Conjugate, s) : s);
      pattern.conjugated.assign(n, false);
      // Moduli say which output is which when all are there. Where some are not, nothing may be behind them.
      pattern.exact = writes.size() < n;
      std::vector<bool> taken(n);
      for (std::size_t w = 0; w < writes.size(); ++w) {
        pattern.writes = {writes[w]};
        for (std::size_t p = pattern.exact ? 0 : w; p < (pattern.exact ? n : w + 1); ++p) {
          pattern.outputs = {static_cast<int>(p)};
          if (taken[p] || !fits(pattern)) continue;
          taken[p] = true;
          found.push_back(pattern);
          break;
        }
        if (found.size() != known + w + 1) break;
      }
      if (found.size() == known + writes.size()) return true;
    }
  found.resize(known);
  return false;
}

}  // namespace twiddle
