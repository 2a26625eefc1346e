#include "tracer/repair/locate/refit.h"

#include "tracer/lift/pattern.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace twiddle {
namespace {

constexpr double right_enough = 2e-4;

}  // namespace

FlowFit::FlowFit(const ValueFlow& flow, const WantedFlow& wanted) : flow_(flow), wanted_(wanted) {
  for (const Complex& one : wanted.wanted) size_ += std::norm(one);
  size_ = std::sqrt(size_);
  std::vector<std::vector<Complex>> factors;
  for (const ValueFlow::Value& value : flow.values) {
    factors.push_back(value.factors);
    pass_ += value.reads.size() * wanted.directions;
  }
  error_ = size_ > 0 ? distance(forward(factors)) / size_ : 0;
}

FlowFit::Numbers FlowFit::forward(const std::vector<std::vector<Complex>>& factors) const {
  const std::size_t width = wanted_.directions;
  Numbers numbers(flow_.values.size() * width);
  for (std::size_t v = 0; v < flow_.values.size(); ++v) {
    const ValueFlow::Value& value = flow_.values[v];
    Complex* into = numbers.data() + v * width;
    if (value.input >= 0)
      std::copy_n(wanted_.inputs.data() + static_cast<std::size_t>(value.input) * width, width, into);
    for (std::size_t r = 0; r < value.reads.size(); ++r) {
      const Complex factor = factors[v][r];
      if (factor == 0.0) continue;
      const Complex* from = numbers.data() + value.reads[r] * width;
      for (std::size_t p = 0; p < width; ++p) into[p] += times(factor, from[p]);
    }
  }
  return numbers;
}

double FlowFit::distance(const Numbers& values, Numbers* apart) const {
  const std::size_t width = wanted_.directions;
  double squares = 0;
  if (apart) apart->assign(wanted_.wanted.size(), 0);
  for (std::size_t o = 0; o < wanted_.outputs.size(); ++o)
    for (std::size_t p = 0; p < width; ++p) {
      const Complex is = wanted_.outputs[o] < 0 ? 0 : values[static_cast<std::size_t>(wanted_.outputs[o]) * width + p];
      const Complex one = is - wanted_.wanted[o * width + p];
      squares += std::norm(one);
      if (apart) (*apart)[o * width + p] = one;
    }
  return std::sqrt(squares);
}

Refit FlowFit::refit(const std::function<bool(const ValueFlow::Value&)>& free,
                     const std::function<bool()>& late) const {
  constexpr int max_steps = 30, max_turns = 50;
  const std::size_t width = wanted_.directions;
  std::vector<std::pair<std::uint32_t, std::size_t>> unknowns;
  for (std::uint32_t v = 0; v < flow_.values.size(); ++v)
    if (flow_.values[v].site >= 0 && free(flow_.values[v]))
      for (std::size_t r = 0; r < flow_.values[v].reads.size(); ++r) unknowns.push_back({v, r});
  Refit result;
  if (unknowns.empty() || !(size_ > 0)) return result;
  std::vector<std::vector<Complex>> factors;
  for (const ValueFlow::Value& value : flow_.values) factors.push_back(value.factors);
  const auto first = factors;
  std::vector<std::size_t> begin(flow_.values.size() + 1, unknowns.size());
  for (std::size_t u = unknowns.size(); u-- > 0;) begin[unknowns[u].first] = u;
  for (std::size_t v = flow_.values.size(); v-- > 0;)
    if (begin[v] == unknowns.size()) begin[v] = begin[v + 1];

  Numbers values = forward(factors), apart;
  const double before = distance(values, &apart);
  double now = before;
  // What changes of the factors change of the outcome, and the other way round.
  Numbers moved(values.size()), pulled(values.size());
  const auto outcome_of = [&](const Numbers& change, Numbers& out) {
    std::fill(moved.begin(), moved.end(), 0);
    for (std::size_t v = 0; v < flow_.values.size(); ++v) {
      const ValueFlow::Value& value = flow_.values[v];
      Complex* into = moved.data() + v * width;
      const bool changes = begin[v] < begin[v + 1];
      for (std::size_t r = 0; r < value.reads.size(); ++r) {
        const Complex factor = factors[v][r], other = changes ? change[begin[v] + r] : 0;
        const Complex *from = values.data() + value.reads[r] * width, *by = moved.data() + value.reads[r] * width;
        if (factor != 0.0)
          for (std::size_t p = 0; p < width; ++p) into[p] += times(factor, by[p]);
        if (other != 0.0)
          for (std::size_t p = 0; p < width; ++p) into[p] += times(other, from[p]);
      }
    }
    for (std::size_t o = 0; o < wanted_.outputs.size(); ++o)
      for (std::size_t p = 0; p < width; ++p)
        out[o * width + p] =
            wanted_.outputs[o] < 0 ? 0 : moved[static_cast<std::size_t>(wanted_.outputs[o]) * width + p];
  };
  const auto change_of = [&](const Numbers& out, Numbers& change) {
    std::fill(pulled.begin(), pulled.end(), 0);
    for (std::size_t o = 0; o < wanted_.outputs.size(); ++o)
      if (wanted_.outputs[o] >= 0)
        for (std::size_t p = 0; p < width; ++p)
          pulled[static_cast<std::size_t>(wanted_.outputs[o]) * width + p] += out[o * width + p];
    for (std::size_t v = flow_.values.size(); v-- > 0;) {
      const ValueFlow::Value& value = flow_.values[v];
      const Complex* own = pulled.data() + v * width;
      const bool changes = begin[v] < begin[v + 1];
      for (std::size_t r = 0; r < value.reads.size(); ++r) {
        const Complex factor = std::conj(factors[v][r]);
        Complex* into = pulled.data() + value.reads[r] * width;
        if (factor != 0.0)
          for (std::size_t p = 0; p < width; ++p) into[p] += times(factor, own[p]);
        if (!changes) continue;
        const Complex* from = values.data() + value.reads[r] * width;
        Complex sum = 0;
        for (std::size_t p = 0; p < width; ++p) sum += times(std::conj(from[p]), own[p]);
        change[begin[v] + r] = sum;
      }
    }
  };
  const auto squares = [](const Numbers& all) {
    double sum = 0;
    for (const Complex& one : all) sum += std::norm(one);
    return sum;
  };

  Numbers step(unknowns.size()), gradient(unknowns.size()), direction, out(apart.size());
  for (int round = 0; round < max_steps && now > right_enough * size_ && !late(); ++round) {
    // Least squares by conjugate gradients, from nothing: so the step is the smallest of those that do as well.
    std::fill(step.begin(), step.end(), 0);
    Numbers rest(apart.size());
    std::transform(apart.begin(), apart.end(), rest.begin(), [](const Complex& one) { return -one; });
    change_of(rest, gradient);
    direction = gradient;
    double slope = squares(gradient);
    const double steepest = slope;
    for (int turn = 0; turn < max_turns && slope > 1e-10 * steepest && !late(); ++turn) {
      outcome_of(direction, out);
      const double curved = squares(out);
      if (!(curved > 0)) break;
      const double length = slope / curved;
      for (std::size_t u = 0; u < step.size(); ++u) step[u] += length * direction[u];
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= length * out[i];
      change_of(rest, gradient);
      const double next = squares(gradient);
      for (std::size_t u = 0; u < step.size(); ++u) direction[u] = gradient[u] + next / slope * direction[u];
      slope = next;
    }
    double length = 1;
    bool better = false;
    for (int halving = 0; halving < 5 && !better; ++halving, length /= 2) {
      auto trial = factors;
      for (std::size_t u = 0; u < unknowns.size(); ++u)
        trial[unknowns[u].first][unknowns[u].second] += length * step[u];
      Numbers there = forward(trial), then;
      const double far = distance(there, &then);
      if (!(far < now)) continue;
      better = true;
      const bool stuck = far > 0.95 * now;
      now = far;
      factors = std::move(trial);
      values = std::move(there);
      apart = std::move(then);
      if (stuck) round = max_steps;
    }
    if (!better) break;
  }
  result.left = before > 0 ? now / before : 0;
  result.right = now <= right_enough * size_;
  if (result.right)
    for (const auto& [v, r] : unknowns)
      if (std::abs(factors[v][r] - first[v][r]) > 1e-3 * std::max(1.0, std::abs(first[v][r])))
        result.changes.push_back({v, r, first[v][r], factors[v][r]});
  return result;
}

}  // namespace twiddle
