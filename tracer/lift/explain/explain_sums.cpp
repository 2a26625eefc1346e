// Sums, extremes, products, and sums with coefficients.
#include "tracer/lift/explain/explainer.h"
#include "tracer/lift/least_squares.h"

#include <cmath>

namespace twiddle {
namespace {

constexpr std::size_t max_terms = 8192;  // of a sum with coefficients
constexpr std::size_t max_powers = 16;
constexpr std::uint64_t max_order = 8192;  // of roots that are tried one by one

}  // namespace

void Explainer::reductions(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
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
    if (inputs.size() > 2 && inputs.size() <= max_points_in_reach &&
        (pair_reduction(inputs, w) || pair_difference(inputs, w)))
      continue;
    if (inputs.size() == 2 && writes.size() > 1 && reduction(inputs, w)) continue;
    if (writes.size() > 1 && inputs.size() >= 2 * writes.size() && chunk_reduction(inputs, writes, w)) continue;
    // With values of before: the fewest of the latest ones.
    const Slots held = earlier(runs, at, like, true);
    for (std::size_t n = inputs.size() + 1; n <= held.size() && !explained(w); ++n)
      if (n >= 2) reduction(Slots(held.end() - static_cast<std::ptrdiff_t>(n), held.end()), w, true);
  }
  each_factor(runs, at, open_writes(writes));
}

void Explainer::extremes(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  const Slots inputs = fresh(runs, at, writes.front());
  if (inputs.size() < 2 || inputs.size() > 16 || writes.size() > inputs.size() || !speaks(inputs)) return;
  if (telling(inputs, 2) < 2) return;
  if (slot(writes.front()).number == Number::Complex || values_.count() < 2) return;
  for (const int w : writes)
    for (const LiftedKind kind : {LiftedKind::Minimum, LiftedKind::Maximum}) {
      Pattern pattern = pattern_like(w, kind);
      pattern.reads = inputs;
      pattern.writes = {w};
      if (!holds(pattern) || is_one_in_step(w, inputs)) continue;
      accept(std::move(pattern));
      break;
    }
}

std::size_t Explainer::telling(const Slots& reads, std::size_t count) const {
  std::size_t samples = 0;
  for (std::size_t s = 0; s < values_.count(); ++s) {
    std::size_t some = 0;
    for (std::size_t i = 0; i < reads.size() && some < count; ++i) some += values_.number(reads[i], s) != 0.0;
    samples += some >= count;
  }
  return samples;
}

bool Explainer::reduction(const Slots& reads, int w, bool sums_only) {
  if (reads.size() < 2 || telling(reads, 2) == 0) return false;
  // Of many values some may be zero, and their sum is still that of all.
  const auto zeros = std::count_if(reads.begin(), reads.end(), [&](int s) { return values_.zero(s); });
  if (zeros > 0 && (sums_only || reads.size() < 4 || 2 * static_cast<std::size_t>(zeros) > reads.size())) return false;
  for (const LiftedKind kind : {LiftedKind::Sum, LiftedKind::Maximum, LiftedKind::Minimum, LiftedKind::Product}) {
    if (kind != LiftedKind::Sum && sums_only) break;
    if (slot(w).number == Number::Complex && (kind == LiftedKind::Maximum || kind == LiftedKind::Minimum)) continue;
    if (kind == LiftedKind::Product && telling(reads, reads.size()) < 2) continue;
    Pattern pattern = pattern_like(w, kind);
    pattern.reads = reads;
    pattern.writes = {w};
    if (!holds(pattern)) continue;
    const bool extreme = kind == LiftedKind::Maximum || kind == LiftedKind::Minimum;
    if (extreme && is_one_in_step(w, reads)) continue;
    accept(std::move(pattern));
    return true;
  }
  return false;
}

bool Explainer::pair_reduction(const Slots& inputs, int w) {
  Pattern found;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t j = i + 1; j < inputs.size(); ++j) {
      Pattern pattern = pattern_like(w, LiftedKind::Sum);
      pattern.reads = {inputs[i], inputs[j]};
      pattern.writes = {w};
      if (telling(pattern.reads, 2) == 0 || values_.zero(inputs[i]) || values_.zero(inputs[j]) || !holds(pattern))
        continue;
      // Of numbers in even steps the outer two and the inner two have one sum: the values do not tell.
      if (found.reads.empty())
        found = std::move(pattern);
      else if (!same_values(found.reads, pattern.reads))
        return false;
    }
  if (found.reads.empty()) return false;
  accept(std::move(found));
  return true;
}

bool Explainer::pair_difference(const Slots& inputs, int w) {
  if (slot(w).number != Number::Real) return false;
  const auto is = [&](int a, int b, std::size_t s) {
    const double exact = values_.number(a, s).real() - values_.number(b, s).real();
    return values_.number(w, s).real() == (slot(w).width == 4 ? double(static_cast<float>(exact)) : exact);
  };
  Pattern found;
  for (const int a : inputs)
    for (const int b : inputs) {
      if (a == b || !is(a, b, 0) || !in_every_sample([&](std::size_t s) { return is(a, b, s); })) continue;
      if (telling({a, b}, 2) < 2 || !found.reads.empty()) return false;
      found = pattern_like(w, LiftedKind::Linear);
      found.reads = {a, b};
      found.writes = {w};
      found.coefficients = {1, -1};
    }
  if (found.reads.empty() || !holds(found)) return false;
  accept(std::move(found));
  return true;
}

bool Explainer::chunk_reduction(const Slots& inputs, const Slots& writes, int w) {
  if (inputs.size() % writes.size() != 0) return false;
  const auto g = static_cast<std::size_t>(std::find(writes.begin(), writes.end(), w) - writes.begin());
  const std::size_t each = inputs.size() / writes.size();
  return reduction(group(inputs, each, g, true), w) || reduction(group(inputs, each, g, false), w);
}

void Explainer::linear(const std::vector<Run>& runs, std::size_t at, const Slots& writes, bool complex) {
  const Number number = slot(writes.front()).number;
  if (number == Number::Whole || complex != (number == Number::Complex)) return;
  const Slots every = fresh(runs, at, writes.front()), all = distinct(every);
  if (all.empty()) return;
  for (const int w : writes) {
    if (dot_product(every, w) || fourier_sum(every, w) || sum_of_powers(every, w)) continue;
    if (all.size() > 12 || values_.count() < all.size() + 3 || weighted_sum(all, w)) continue;
    weighted_with_offset(all, w);
  }
}

bool Explainer::dot_product(const Slots& all, int w) {
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
    const bool table_second = !table(first[0]) && (table(second[0]) || slot(second[0]).buffer > slot(first[0]).buffer);
    pattern.reads = table_second ? first : second;
    pattern.tables = table_second ? second : first;
    pattern.conjugated.assign(n, false);
    pattern.writes = {w};
    accept(std::move(pattern));
    return true;
  }
  return false;
}

bool Explainer::fourier_sum(const Slots& all, int w) {
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

bool Explainer::sum_of_powers(const Slots& all, int w) {
  const Slots reads = without_tables(all);
  if (slot(w).number != Number::Complex || reads.size() < 2 || reads.size() > max_powers) return false;
  const int buffer = slot(reads[0]).buffer;
  if (buffer < 0 || static_cast<std::size_t>(buffer) >= turns_.size()) return false;
  const std::uint64_t elements = turns_[static_cast<std::size_t>(buffer)] / 4;
  // Of two values any root of modulus 1 fits somehow: several items have to say so.
  if (elements < 2 || elements > max_order || telling(reads, 2) < (reads.size() == 2 ? 4 : 2)) return false;
  Pattern pattern = pattern_like(w, LiftedKind::Linear);
  pattern.order = static_cast<int>(elements);
  pattern.reads = reads;
  pattern.writes = {w};
  if (!holds(pattern)) return false;
  accept(std::move(pattern));
  return true;
}

bool Explainer::weighted_sum(const Slots& reads, int w) {
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
  // What is only added or taken away is the simplest of several sums, unless one of the values left out is in step with it; other
  // factors may be anything that comes to the same.
  const bool plain = std::all_of(pattern.coefficients.begin(), pattern.coefficients.end(),
                                 [](Complex c) { return c == 1.0 || c == -1.0; }) &&
                     (pattern.reads.size() == n || std::none_of(pattern.reads.begin(), pattern.reads.end(),
                                                                [&](int s) { return in_step_with_others(s, reads); }));
  if (!plain && (n == 1 ? adds_a_count(reads[0], w) : !independent(reads))) return false;
  accept(std::move(pattern));
  return true;
}

bool Explainer::independent(const Slots& reads) const {
  if (reads.size() < 2) return true;
  std::vector<Complex> rows;
  for (std::size_t s = 0; s < values_.count(); ++s) {
    for (const int r : reads) rows.push_back(values_.number(r, s));
    rows.emplace_back(1);
  }
  return !least_squares(rows, std::vector<Complex>(values_.count(), 1), reads.size() + 1).empty();
}

std::vector<Complex> Explainer::fitted(const Slots& reads, int w, const std::vector<std::size_t>& over,
                                       double* residual) const {
  std::vector<Complex> rows, right;
  for (const std::size_t s : over) {
    for (const int r : reads) rows.push_back(values_.number(r, s));
    right.push_back(values_.number(w, s));
  }
  std::vector<Complex> x = least_squares(rows, right, reads.size());
  if (residual && !x.empty()) *residual = relative_residual(rows, right, x);
  return x;
}

}  // namespace twiddle
