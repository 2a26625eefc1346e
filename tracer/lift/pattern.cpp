#include "tracer/lift/pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace twiddle {
namespace {

constexpr int max_points = 64;
const double not_known = std::numeric_limits<double>::quiet_NaN();

// e^(2πi·k/n) for all k < n, by n.
const std::vector<Complex>& roots(int n) {
  static const std::array<std::vector<Complex>, max_points + 1> all = [] {
    std::array<std::vector<Complex>, max_points + 1> tables;
    for (int size = 1; size <= max_points; ++size)
      for (int k = 0; k < size; ++k) tables[size].push_back(root(k, size));
    return tables;
  }();
  return all[n];
}

// out[j] = Σ in[k]·e^(sign·2πi·jk/n)
void transform(int n, int sign, const Complex* in, Complex* out) {
  if (n == 2) {
    const Complex a = in[0], b = in[1];
    out[0] = a + b;
    out[1] = a - b;
    return;
  }
  const std::vector<Complex>& table = roots(n);
  for (int j = 0; j < n; ++j) {
    Complex sum = in[0];
    int at = 0;
    for (int k = 1; k < n; ++k) {
      at += j;
      if (at >= n) at -= n;
      sum += times(in[k], sign > 0 ? table[at] : std::conj(table[at]));
    }
    out[j] = sum;
  }
}

double size_of(const Complex* values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::norm(values[i]);
  return sum;
}

// A butterfly without twiddles, some of whose outputs are not stored.
Holds judge_outputs(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  const auto n = static_cast<int>(pattern.reads.size());
  const double energy = size_of(held.in, static_cast<std::size_t>(n));
  if (coefficients) std::fill_n(coefficients, n, Complex(1));
  const double bound = tolerance * pattern.scale * std::sqrt(energy * n);
  const std::vector<Complex>& table = roots(n);
  for (std::size_t w = 0; w < pattern.outputs.size(); ++w) {
    Complex sum = 0;
    for (int k = 0, at = 0; k < n; ++k, at = (at + pattern.outputs[w]) % n)
      sum += times(held.in[k], pattern.sign > 0 ? table[at] : std::conj(table[at]));
    if (!(std::abs(held.out[w] - pattern.scale * sum) <= bound)) return Holds::No;
  }
  return energy == 0 ? Holds::Empty : Holds::Yes;
}

Holds judge_butterfly(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  const auto n = static_cast<int>(pattern.reads.size());
  if (!pattern.outputs.empty()) return judge_outputs(pattern, held, tolerance, coefficients);
  std::array<Complex, max_points> above, below;
  butterfly_sides(pattern, held.in, held.out, above.data(), below.data());
  const double energy = size_of(held.in, static_cast<std::size_t>(n));
  if (coefficients) std::fill_n(coefficients, n, Complex(not_known, not_known));
  if (energy == 0) return size_of(held.out, static_cast<std::size_t>(n)) == 0 ? Holds::Empty : Holds::No;
  // `below` of decimation in frequency is √n larger than what is read.
  const double largest = pattern.scale * std::sqrt(energy) * (pattern.time ? 1 : std::sqrt(double(n)));
  const double bound = tolerance * largest;
  for (int j = 0; j < n; ++j)
    if (!(std::abs(std::abs(above[j]) - pattern.scale * std::abs(below[j])) <= bound)) return Holds::No;
  if (!pattern.free_first && !(std::abs(above[0] - pattern.scale * below[0]) <= bound)) return Holds::No;
  if (pattern.plain) {
    for (int j = 1; j < n; ++j)
      if (!(std::abs(above[j] - pattern.scale * below[j]) <= bound)) return Holds::No;
    if (coefficients) std::fill_n(coefficients, n, Complex(1));
    return Holds::Yes;
  }

  const double small = 0.02 * largest / pattern.scale / std::sqrt(double(n));
  if (pattern.free_first && n > 2 && std::abs(below[0]) > small && std::abs(below[1]) > small) {
    const Complex first = above[0] / below[0], second = above[1] / below[1];
    Complex step = second / first;
    step /= std::abs(step);
    Complex twiddle = first / std::abs(first);
    for (int j = 0; j < n; ++j, twiddle = times(twiddle, step))
      if (!(std::abs(above[j] - pattern.scale * times(below[j], twiddle)) <= 20 * (1 + j) * bound)) return Holds::No;
  }
  if (coefficients)
    for (int j = 0; j < n; ++j)
      if (std::abs(below[j]) > 16 * bound) coefficients[j] = above[j] / (pattern.scale * below[j]);
  return Holds::Yes;
}

// X = G ± w·H of y = even + i·odd points: G = (a + conj b)/2, H = (a − conj b)/2i. Of one output: G or H alone.
Holds judge_pack(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  const Complex a = held.in[0], b = std::conj(held.in[1]);
  const Complex odd = times(a - b, Complex(0, -1));
  const double energy = std::norm(a) + std::norm(b);
  if (coefficients) coefficients[0] = {not_known, not_known};
  if (pattern.one_of_two) {
    const Complex out = pattern.mirrored ? std::conj(held.out[0]) : held.out[0];
    const Complex turned = pattern.scale * (a + b) - 2.0 * out;  // scale·w·odd
    if (energy == 0) return out == 0.0 ? Holds::Empty : Holds::No;
    const double bound = tolerance / 10 * pattern.scale * std::sqrt(energy);
    if (!(std::abs(std::abs(turned) - pattern.scale * std::abs(odd)) <= bound)) return Holds::No;
    if (coefficients && std::abs(odd) > 16 * tolerance * std::sqrt(energy))
      coefficients[0] = turned / (pattern.scale * odd);
    return Holds::Yes;
  }
  if (pattern.writes.size() == 1) {
    if (energy == 0) return held.out[0] == 0.0 ? Holds::Empty : Holds::No;
    const Complex half = 0.5 * pattern.scale * (pattern.odd ? odd : a + b);
    return std::abs(held.out[0] - half) <= tolerance / 20 * std::sqrt(energy) ? Holds::Yes : Holds::No;
  }
  const Complex second = pattern.mirrored ? std::conj(held.out[1]) : held.out[1];
  const Complex sum = held.out[0] + second, difference = held.out[0] - second;
  const double bound = tolerance * std::sqrt(energy);
  if (energy == 0) return sum == 0.0 && difference == 0.0 ? Holds::Empty : Holds::No;
  if (!(std::abs(sum - pattern.scale * (a + b)) <= pattern.scale * bound) ||
      !(std::abs(std::abs(difference) - pattern.scale * std::abs(odd)) <= pattern.scale * bound))
    return Holds::No;
  if (coefficients && std::abs(odd) > 16 * bound) coefficients[0] = difference / (pattern.scale * odd);
  return Holds::Yes;
}

bool wholes_hold(const Pattern& pattern, const Held& held) {
  const int bits = 8 * pattern.width;
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
  const std::size_t n = pattern.reads.size();
  const std::uint64_t out = held.out_bits[0] & mask;
  std::uint64_t sum = 0, product = 1, low = ~std::uint64_t(0), high = 0;
  std::int64_t signed_low = std::numeric_limits<std::int64_t>::max(),
               signed_high = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t value = held.in_bits[i] & mask;
    sum += value;
    product *= value;
    low = std::min(low, value);
    high = std::max(high, value);
    signed_low = std::min(signed_low, with_sign(value, pattern.width));
    signed_high = std::max(signed_high, with_sign(value, pattern.width));
  }
  switch (pattern.kind) {
    case LiftedKind::Sum: return (sum & mask) == out;
    case LiftedKind::Product: return (product & mask) == out;
    case LiftedKind::Minimum: return out == low || with_sign(out, pattern.width) == signed_low;
    case LiftedKind::Maximum: return out == high || with_sign(out, pattern.width) == signed_high;
    case LiftedKind::Linear: {
      auto weighted = static_cast<std::uint64_t>(std::llround(pattern.offset.real()));
      for (std::size_t i = 0; i < n; ++i)
        weighted += held.in_bits[i] * static_cast<std::uint64_t>(std::llround(pattern.coefficients[i].real()));
      return (weighted & mask) == out;
    }
    default: return false;
  }
}

// The sum of `n` values with the coefficients e^(sign·2πi·jk/n).
Complex fourier_point(const Complex* in, std::int64_t n, std::int64_t k, int sign) {
  const Complex step = root(sign * k, n);
  Complex sum = 0, turn = 1;
  for (std::int64_t j = 0; j < n; ++j) {
    // A power of a rounded root drifts: it is taken anew from time to time.
    if (j % 32 == 0) turn = root(sign * (k * j % n), n);
    sum += times(in[j], turn);
    turn = times(turn, step);
  }
  return sum;
}

// Which point of the values' transform is `out`? The one after the last that fitted is tried first: neighbouring items compute
// neighbouring points.
Holds judge_fourier(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  static thread_local std::int64_t last = 0;
  const auto n = static_cast<std::int64_t>(pattern.reads.size());
  double energy = 0;
  for (std::int64_t i = 0; i < n; ++i) energy += std::norm(held.in[i]);
  if (energy == 0) return held.out[0] == 0.0 ? Holds::Empty : Holds::No;
  const double bound = tolerance * std::sqrt(energy * double(n));
  // A direct search for one point costs n of them: for long sums only the next few are tried.
  const std::int64_t tries = n <= 256 ? n : 16;
  for (std::int64_t i = 0; i < tries; ++i) {
    const std::int64_t k = ((last + (i == 0 ? 1 : i == 1 ? 0 : i)) % n + n) % n;
    if (!(std::abs(fourier_point(held.in, n, k, pattern.sign) - held.out[0]) <= bound)) continue;
    last = k;
    if (coefficients)
      for (std::int64_t j = 0; j < n; ++j) coefficients[j] = root(pattern.sign * (j * k % n), n);
    return Holds::Yes;
  }
  last = 0;
  return Holds::No;
}

// Σ in[j]·z^j of which root z = e^(−2πi·k/order) is `out`? One alone may do. Neighbouring items have the same one, or one as
// far away as the last two were.
Holds judge_powers(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  struct Roots {
    std::vector<Complex> all;
    std::size_t last = 0, step = 1;
  };
  static thread_local std::map<int, Roots> known;
  if (known.size() > 16) known.clear();
  Roots& roots = known[pattern.order];
  const auto order = static_cast<std::size_t>(pattern.order);
  if (roots.all.empty())
    for (std::size_t k = 0; k < order; ++k) roots.all.push_back(root(-std::int64_t(k), std::int64_t(order)));
  const std::size_t n = pattern.reads.size();
  double size = 0, later = 0;
  for (std::size_t j = 0; j < n; ++j) (j == 0 ? size : later) += std::abs(held.in[j]);
  size += later;
  if (coefficients) std::fill_n(coefficients, n, Complex(not_known, not_known));
  if (size == 0) return held.out[0] == 0.0 ? Holds::Empty : Holds::No;
  // What rounding leaves; where the later values are too small for roots to differ, nothing is known of any.
  const double bound = tolerance / 10 * size;
  if (later * 4 / double(order) <= bound)
    return std::abs(held.out[0] - held.in[0]) <= bound + later ? Holds::Empty : Holds::No;
  const auto fits = [&](std::size_t k) {
    const Complex z = roots.all[k];
    Complex sum = held.in[n - 1];
    for (std::size_t j = n - 1; j-- > 0;) sum = times(sum, z) + held.in[j];
    return std::abs(sum - held.out[0]) <= bound;
  };
  std::size_t found = order;
  for (const std::size_t k : {roots.last, (roots.last + roots.step) % order})
    if (found == order && fits(k)) found = k;
  for (std::size_t k = 0; k < order && found == order; ++k)
    if (fits(k)) found = k;
  if (found == order || fits((found + 1) % order) || fits((found + order - 1) % order)) return Holds::No;
  // Without the first power only roots far apart could tell: which one it is would depend on where the search began.
  if (n > 2 && std::abs(held.in[1]) * 4 / double(order) <= bound) return Holds::Empty;
  if (found != roots.last) roots.step = (found + order - roots.last) % order;
  roots.last = found;
  if (coefficients)
    for (std::size_t j = 0; j < n; ++j) coefficients[j] = root(-std::int64_t(j * found % order), std::int64_t(order));
  return Holds::Yes;
}

Holds judge_turned(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  const auto n = static_cast<std::int64_t>(pattern.reads.size());
  if (!coefficients) return Holds::No;
  const double energy = size_of(held.in, static_cast<std::size_t>(n));
  Complex sum = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    coefficients[k] = times(coefficients[k], root(pattern.sign * k * pattern.outputs[0], n));
    sum += times(coefficients[k], held.in[k]);
  }
  const double bound = tolerance * pattern.scale * std::sqrt(energy * double(n));
  if (pattern.real_part) {
    if (!(std::abs(pattern.scale * sum.real() - held.out[0].real()) <= bound)) return Holds::No;
    for (std::int64_t k = 0; k < n; ++k) coefficients[k] *= pattern.scale;
    return energy == 0 ? Holds::Empty : Holds::Yes;
  }
  if (pattern.exact) {
    if (!(std::abs(pattern.scale * sum - held.out[0]) <= bound)) return Holds::No;
    for (std::int64_t k = 0; k < n; ++k) coefficients[k] *= pattern.scale;
    return energy == 0 ? Holds::Empty : Holds::Yes;
  }
  if (!(std::abs(std::abs(sum) - std::abs(held.out[0])) <= bound)) return Holds::No;
  const Complex turn = std::abs(sum) > 16 * bound ? held.out[0] / sum : Complex(not_known, not_known);
  for (std::int64_t k = 0; k < n; ++k) coefficients[k] = times(coefficients[k], turn);
  return energy == 0 ? Holds::Empty : Holds::Yes;
}

Holds judge_one(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  const std::size_t n = pattern.reads.size();
  const Complex out = held.out[0];
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) size += std::abs(held.in[i]);
  const bool empty = size == 0 && out == 0.0;
  // What rounding leaves of a sum grows with its terms.
  const double rounding = tolerance / 20 * (1 + std::sqrt(double(n)) / 4);
  bool holds = false;
  switch (pattern.kind) {
    case LiftedKind::Scale:
      holds = std::abs(out - times(held.in[0], pattern.coefficients[0])) <= rounding * std::abs(out);
      break;
    case LiftedKind::Rotate:
      holds = std::abs(std::abs(out) - pattern.scale * size) <= tolerance * pattern.scale * size;
      if (coefficients) coefficients[0] = size > 0 ? out / held.in[0] : Complex(not_known, not_known);
      break;
    case LiftedKind::Sum: {
      Complex sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += held.in[i];
      holds = std::abs(sum - out) <= rounding * size;
      break;
    }
    case LiftedKind::Product: {
      Complex product = 1;
      for (std::size_t i = 0; i < n; ++i) product = times(product, held.in[i]);
      holds = std::abs(product - out) <= rounding * std::max(std::abs(product), std::abs(out));
      break;
    }
    case LiftedKind::Minimum:
    case LiftedKind::Maximum: {
      double low = held.in[0].real(), high = low;
      for (std::size_t i = 1; i < n; ++i) {
        low = std::min(low, held.in[i].real());
        high = std::max(high, held.in[i].real());
      }
      holds = out.real() == (pattern.kind == LiftedKind::Minimum ? low : high);
      break;
    }
    case LiftedKind::Linear: {
      Complex sum = pattern.offset;
      double weight = std::abs(sum);
      const Complex* row = pattern.coefficients.empty() ? coefficients : pattern.coefficients.data();
      if (!row) return Holds::No;
      for (std::size_t i = 0; i < n; ++i) {
        sum += times(row[i], held.in[i]);
        weight += std::abs(row[i]) * std::abs(held.in[i]);
      }
      holds = std::abs(sum - out) <= 10 * rounding * weight;
      break;
    }
    default: break;
  }
  return !holds ? Holds::No : empty ? Holds::Empty : Holds::Yes;
}

}  // namespace

Complex root(std::int64_t k, std::int64_t n) {
  k = ((k % n) + n) % n;
  // Exact at the eighths, where sines and cosines of a rounded angle are not.
  if (8 * k % n == 0) {
    static const double half = std::sqrt(0.5);
    static const Complex eighths[8] = {{1, 0},  {half, half},   {0, 1},  {-half, half},
                                       {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
    return eighths[8 * k / n];
  }
  return std::polar(1.0, 2 * M_PI * double(k) / double(n));
}

void butterfly_sides(const Pattern& pattern, const Complex* in, const Complex* out, Complex* above, Complex* below) {
  const auto n = static_cast<int>(pattern.reads.size());
  if (pattern.time) {
    transform(n, -pattern.sign, out, above);
    for (int j = 0; j < n; ++j) above[j] /= n;
    std::copy_n(in, n, below);
  } else {
    std::copy_n(out, n, above);
    transform(n, pattern.sign, in, below);
  }
}

Ratio factor_ratio(const Pattern& pattern, const Held& held, std::size_t which) {
  const std::size_t n = pattern.reads.size();
  const Ratio none{{not_known, not_known}, {not_known, not_known}, not_known};
  if (pattern.kind == LiftedKind::Butterfly) {
    if (n > max_points || which >= n || !pattern.outputs.empty()) return none;
    std::array<Complex, max_points> above, below;
    butterfly_sides(pattern, held.in, held.out, above.data(), below.data());
    const double size = pattern.scale * std::sqrt(size_of(held.in, n) * (pattern.time ? 1 : double(n)));
    return {above[which], pattern.scale * below[which], size};
  }
  if (pattern.kind != LiftedKind::Pack || n != 2 || which != 0) return none;
  const Complex a = held.in[0], b = std::conj(held.in[1]);
  const Complex even = a + b, odd = times(a - b, Complex(0, -1));
  const double size = pattern.scale * std::sqrt(size_of(held.in, n));
  const auto own = [&](std::size_t output) {
    return pattern.mirrored ? std::conj(held.out[output]) : held.out[output];
  };
  if (pattern.one_of_two) return {pattern.scale * even - 2.0 * own(0), pattern.scale * odd, size};
  if (pattern.writes.size() == 1) return none;
  return {held.out[0] - own(1), pattern.scale * odd, size};
}

Holds judge(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients) {
  switch (pattern.kind) {
    case LiftedKind::Move:
      if (pattern.reads.size() == 2) {
        const Complex whole(held.in[0].real(), held.in[1].real());
        return whole != held.out[0] ? Holds::No : whole == 0.0 ? Holds::Empty : Holds::Yes;
      }
      if (held.in_bits[0] != held.out_bits[0]) return Holds::No;
      return held.in_bits[0] == 0 ? Holds::Empty : Holds::Yes;
    case LiftedKind::Constant: return held.out[0] == pattern.coefficients[0] ? Holds::Yes : Holds::No;
    case LiftedKind::Linear:
      if (pattern.turned) return judge_turned(pattern, held, tolerance, coefficients);
      if (pattern.fourier) return judge_fourier(pattern, held, tolerance, coefficients);
      if (pattern.order > 0) return judge_powers(pattern, held, tolerance, coefficients);
      break;
    case LiftedKind::Butterfly: return judge_butterfly(pattern, held, tolerance, coefficients);
    case LiftedKind::Pack: return judge_pack(pattern, held, tolerance, coefficients);
    default: break;
  }
  if (pattern.number != Number::Whole) return judge_one(pattern, held, tolerance, coefficients);
  if (!wholes_hold(pattern, held)) return Holds::No;
  const bool empty = held.out_bits[0] == 0 && std::all_of(held.in_bits, held.in_bits + pattern.reads.size(),
                                                          [](std::uint64_t bits) { return bits == 0; });
  return empty ? Holds::Empty : Holds::Yes;
}

}  // namespace twiddle
