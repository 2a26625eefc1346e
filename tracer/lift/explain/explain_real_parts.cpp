// Inverse transforms that store the real parts of what comes out, and not the imaginary ones: zeros if the spectrum is that of real
// values, but nothing says that it is.
#include "tracer/lift/explain/explainer.h"

#include <cmath>

namespace twiddle {
namespace {

constexpr std::size_t max_points = 32, max_table_reads = 64;
constexpr std::size_t enough_values = 4;  // that are compared: one of them is used up by the scale

}  // namespace

void Explainer::real_parts(const std::vector<Run>& runs) {
  each_writes(runs, [&](std::size_t at, const Slots& writes) {
    if (slot(writes[0]).number != Number::Real || writes.size() < 2 || writes.size() > max_points) return;
    if (writes.size() * values_.count() < enough_values) return;
    std::uint32_t begin = UINT32_MAX;
    for (const int w : writes) begin = std::min(begin, slot(w).record[0]);
    Slots reads;  // the last block of complex values
    for (std::size_t r = at; r-- > 0 && reads.empty();)
      if (!runs[r].write)
        for (const int s : runs[r].slots)
          if (slot(s).number == Number::Complex && slot(s).width == slot(writes[0]).width && !table(s) &&
              slot(s).record[0] < begin)
            reads.push_back(s);
    if (reads.size() != writes.size() ||
        std::any_of(reads.begin(), reads.end(), [&](int s) { return values_.zero(s); }))
      return;
    Slots tables;
    for (const int s : plain_)
      if (slot(s).number == Number::Complex && slot(s).width == slot(writes[0]).width && table(s) &&
          slot(s).record[0] > slot(reads.front()).record[0] && slot(s).record[0] < begin)
        tables.push_back(s);
    if (tables.size() > max_table_reads) return;
    const Slots in = by_address(reads), out = by_address(writes);
    for (std::size_t radix = reads.size(); radix >= 2; --radix)
      if (reads.size() % radix == 0)
        for (const bool strided_in : {true, false})
          for (const bool strided_out : {true, false}) {
            if (radix == reads.size() && !(strided_in && strided_out)) continue;
            std::vector<Pattern> found;
            for (std::size_t g = 0; g < reads.size() / radix; ++g)
              if (!real_parts_of(group(in, radix, g, strided_in), tables, group(out, radix, g, strided_out), found))
                break;
            if (found.size() != reads.size()) continue;
            for (Pattern& pattern : found) {
              for (const int t : pattern.tables)
                if (t >= 0) mark(used_, t);
              accept(std::move(pattern));
            }
            return;
          }
  });
}

bool Explainer::real_parts_of(const Slots& reads, const Slots& tables, const Slots& writes,
                              std::vector<Pattern>& found) {
  const std::size_t n = reads.size();
  const auto sum_of = [&](const Slots& factors, std::size_t p, int sign, std::size_t s) {
    Complex sum = values_.number(reads[0], s);
    for (std::size_t k = 1; k < n; ++k) {
      Complex term = values_.number(reads[k], s);
      if (!factors.empty()) term = times(term, values_.number(factors[k - 1], s));
      sum += times(term, root(sign * static_cast<std::int64_t>(k * p), static_cast<std::int64_t>(n)));
    }
    return sum.real();
  };
  // Without factors an imaginary part of two points says nothing.
  std::vector<Slots> choices;
  for (std::size_t t = 0; t + n - 1 <= tables.size(); ++t)
    for (const bool conjugated : {false, true}) {
      Slots& factors = choices.emplace_back();
      for (std::size_t k = 0; k + 1 < n; ++k)
        factors.push_back(conjugated ? derived(Derived::Conjugate, tables[t + k]) : tables[t + k]);
    }
  if (n > 2) choices.emplace_back();
  for (const Slots& factors : choices)
    for (const int sign : {1, -1}) {
      if (n == 2 && sign < 0) continue;
      double scale = found.empty() ? 0 : found.front().scale;
      if (scale == 0) {
        double along = 0, size = 0;
        for (std::size_t s = 0; s < values_.count(); ++s)
          for (std::size_t p = 0; p < n; ++p) {
            const double sum = sum_of(factors, p, sign, s);
            along += sum * values_.number(writes[p], s).real();
            size += sum * sum;
          }
        if (!(size > 0) || !(along > 0) || !std::isfinite(along / size)) continue;
        scale = along / size;
        // Kernels divide by whole numbers.
        if (const double part = std::round(1 / scale); part >= 1 && std::abs(part * scale - 1) < 1e-4) scale = 1 / part;
      }
      const bool fits = in_every_sample([&](std::size_t s) {
        double energy = 0;
        for (const int read : reads) energy += std::norm(values_.number(read, s));
        const double bound = tolerance(writes[0]) * scale * std::sqrt(energy * double(n));
        for (std::size_t p = 0; p < n; ++p)
          if (!(std::abs(scale * sum_of(factors, p, sign, s) - values_.number(writes[p], s).real()) <= bound))
            return false;
        return true;
      });
      if (!fits) continue;
      for (std::size_t p = 0; p < n; ++p) {
        Pattern pattern = pattern_like(writes[p], LiftedKind::Linear);
        pattern.turned = pattern.real_part = true;
        pattern.sign = sign;
        pattern.scale = scale;
        pattern.outputs = {static_cast<int>(p)};
        pattern.reads = reads;
        pattern.writes = {writes[p]};
        pattern.tables = factors.empty() ? Slots(n, -1) : Slots{-1};
        pattern.tables.insert(pattern.tables.end(), factors.begin(), factors.end());
        pattern.conjugated.assign(n, false);
        found.push_back(std::move(pattern));
      }
      return true;
    }
  return false;
}

}  // namespace twiddle
