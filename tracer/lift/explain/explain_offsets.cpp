// What is read, times one number and plus another, both the same for all items: a kernel's scalar arguments and literals.
#include "tracer/lift/explain/explainer.h"
#include "tracer/lift/least_squares.h"

#include <cmath>

namespace twiddle {
namespace {

constexpr std::size_t max_read_beside = 4;
constexpr double max_offset = 64;  // spreads of what is written: beside a larger one rounding hides what was read

// The factor that makes `to` of `from`, in numbers that wrap around; 0: there is none, or several.
std::int64_t factor_between(std::uint64_t from, std::uint64_t to, int width) {
  if (from % 2 == 1) {
    std::uint64_t inverse = from;  // right in its lowest 3 bits, and in twice as many after each round
    for (int round = 0; round < 5; ++round) inverse *= 2 - from * inverse;
    return with_sign(to * inverse, width);
  }
  const std::int64_t whole = with_sign(from, width), made = with_sign(to, width);
  return whole != 0 && made % whole == 0 ? made / whole : 0;
}

}  // namespace

// Of values that count the items any formula of the item's number is a line.
bool Explainer::tells_of_lines(int read) const { return values_.varied(read) && !values_.counts_items(read); }

bool Explainer::in_step_with_others(int read, const Slots& reads) const {
  return std::any_of(reads.begin(), reads.end(), [&](int other) { return values_.in_step(read, other); });
}

bool Explainer::adds_a_count(int read, int w) const {
  if (!values_.counts_items(read)) return false;
  for (std::size_t s = 0; s < values_.count(); ++s) {
    const Complex added = values_.number(w, s) - values_.number(read, s);
    if (added.imag() != 0 || added.real() != std::round(added.real())) return false;
  }
  return true;
}

bool Explainer::is_one_in_step(int w, const Slots& reads) const {
  return std::any_of(reads.begin(), reads.end(),
                     [&](int s) { return values_.print(s) == values_.print(w) && in_step_with_others(s, reads); });
}

bool Explainer::weighted_with_offset(const Slots& reads, int w) {
  const std::size_t n = reads.size();
  if (n > max_read_beside || values_.count() < n + 4 || telling(reads, 1) < n + 3) return false;
  std::vector<Complex> rows, right;
  Complex mean = 0;
  for (std::size_t s = 0; s < values_.count(); ++s) {
    for (const int r : reads) rows.push_back(values_.number(r, s));
    rows.emplace_back(1);
    right.push_back(values_.number(w, s));
    mean += right.back() / double(values_.count());
  }
  double spread = 0;
  for (const Complex value : right) spread = std::max(spread, std::abs(value - mean));
  const std::vector<Complex> fit = least_squares(rows, right, n + 1);
  if (fit.empty()) return false;
  const bool wide = slot(w).width == 8;
  Pattern pattern = pattern_like(w, LiftedKind::Linear);
  // Small fractions, or numbers of the kernel's own precision.
  const auto rounded = [&](double part) {
    const double near = std::round(part * 64) / 64;
    if (std::abs(part - near) < 1e-6 * std::max(1.0, std::abs(near))) return near;
    return wide ? part : double(static_cast<float>(part));
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (std::abs(fit[i]) < 1e-7) continue;
    if (!tells_of_lines(reads[i])) return false;
    pattern.coefficients.emplace_back(rounded(fit[i].real()), rounded(fit[i].imag()));
    pattern.reads.push_back(reads[i]);
  }
  pattern.offset = {rounded(fit[n].real()), rounded(fit[n].imag())};
  pattern.writes = {w};
  if (pattern.reads.empty() || !(std::abs(pattern.offset) <= max_offset * spread) || !holds(pattern)) return false;
  accept(std::move(pattern));
  return true;
}

// Whole numbers, exactly: the product and the sum may wrap around.
void Explainer::whole_lines(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  const int width = slot(writes.front()).width;
  if (slot(writes.front()).number != Number::Whole) return;
  const Slots reads = distinct(fresh(runs, at, writes.front()));
  if (reads.size() > max_read_beside) return;
  for (const int w : writes)
    for (const int r : reads) {
      if (explained(w)) break;
      if (!tells_of_lines(r) || in_step_with_others(r, reads)) continue;
      const auto step = [&](int s, std::size_t to) { return values_.bits(s, to) - values_.bits(s, 0); };
      std::size_t other = 0;  // a sample that is an odd number away, if there is one
      for (std::size_t s = 1; s < values_.count() && step(r, other) % 2 == 0; ++s)
        if (step(r, s) != 0) other = s;
      for (const std::int64_t factor : {std::int64_t(1), factor_between(step(r, other), step(w, other), width)}) {
        const std::int64_t offset =
            with_sign(values_.bits(w, 0) - static_cast<std::uint64_t>(factor) * values_.bits(r, 0), width);
        // A double holds both.
        if (factor == 0 || std::abs(double(factor)) >= 0x1p53 || std::abs(double(offset)) >= 0x1p53) continue;
        Pattern pattern = pattern_like(w, LiftedKind::Linear);
        pattern.reads = {r};
        pattern.writes = {w};
        pattern.coefficients = {double(factor)};
        pattern.offset = double(offset);
        if (!holds(pattern)) continue;
        accept(std::move(pattern));
        break;
      }
    }
}

bool SampledValues::varied(int slot) const {
  std::set<std::pair<double, double>> distinct;
  for (std::size_t s = 0; s < count() && distinct.size() < 4; ++s)
    distinct.emplace(number(slot, s).real(), number(slot, s).imag());
  return distinct.size() >= 4;
}

bool SampledValues::in_step(int slot, int with) const {
  if (slot == with) return false;
  std::size_t far = 0;
  bool elsewhere = false;
  double spread = 0;  // not the size: small negative words are large ones without a sign
  for (std::size_t s = 0; s < count(); ++s) {
    if (std::abs(number(slot, s) - number(slot, 0)) > std::abs(number(slot, far) - number(slot, 0))) far = s;
    elsewhere = elsewhere || offset(slot, s) != offset(with, s);
    spread = std::max(spread, std::abs(number(with, s) - number(with, 0)));
  }
  // A place that is read twice is no other value.
  if (far == 0 || (!elsewhere && print(slot) == print(with)) || !varied(with)) return false;
  const Complex step = (number(with, far) - number(with, 0)) / (number(slot, far) - number(slot, 0));
  for (std::size_t s = 0; s < count(); ++s) {
    const Complex expected = number(with, 0) + times(step, number(slot, s) - number(slot, 0));
    if (!(std::abs(expected - number(with, s)) <= 1e-6 * spread)) return false;
  }
  return true;
}

bool SampledValues::counts_items(int slot) const {
  std::size_t other = 1;
  while (other < count() && samples_[other].item == samples_[0].item) ++other;
  if (other >= count()) return false;
  const auto item = [&](std::size_t s) { return double(samples_[s].item); };
  const Complex step = (number(slot, other) - number(slot, 0)) / (item(other) - item(0));
  double size = 0, error = 0;
  for (std::size_t s = 0; s < count(); ++s) {
    size = std::max(size, std::abs(number(slot, s)));
    error = std::max(error, std::abs(number(slot, 0) + step * (item(s) - item(0)) - number(slot, s)));
  }
  return error <= 1e-5 * size;
}

}  // namespace twiddle
