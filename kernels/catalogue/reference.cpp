#include "kernels/catalogue/reference.h"

#include "base/error.h"
#include "kernels/catalogue/builder.h"
#include "kernels/signal/roots.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace twiddle {
namespace {

using Complex = std::complex<double>;
using Vector = std::vector<Complex>;

// w_n^k for k < n/2.
Vector half_circle(std::uint64_t n, int sign) {
  Vector roots(n / 2);
  for (std::uint64_t k = 0; k < roots.size(); ++k) roots[k] = twiddle_factor(k, n, sign);
  return roots;
}

// Decimation in time, as it is defined: out[0 … n−1] is the transform of x[0], x[stride], x[2·stride], … n is a power of two,
// and roots hold w_N^k of the whole transform, N = n·stride.
void transform(const Complex* x, std::uint64_t stride, Complex* out, std::uint64_t n, const Vector& roots) {
  if (n == 1) {
    out[0] = x[0];
    return;
  }
  const std::uint64_t half = n / 2;
  transform(x, 2 * stride, out, half, roots);
  transform(x + stride, 2 * stride, out + half, half, roots);
  for (std::uint64_t k = 0; k < half; ++k) {
    const Complex w = roots[k * stride], b = out[half + k];
    const Complex t(w.real() * b.real() - w.imag() * b.imag(), w.real() * b.imag() + w.imag() * b.real());
    out[half + k] = out[k] - t;
    out[k] += t;
  }
}

Vector power_of_two_dft(std::span<const Complex> x, int sign) {
  Vector out(x.size());
  transform(x.data(), 1, out.data(), x.size(), half_circle(x.size(), sign));
  return out;
}

// Bluestein: jk = (j² + k² − (k−j)²)/2 turns the transform into a convolution with a chirp, done by powers of two.
Vector bluestein(std::span<const Complex> x, int sign) {
  const std::uint64_t n = x.size(), padded = std::bit_ceil(2 * n - 1);
  Vector chirp(n), a(padded), b(padded);
  for (std::uint64_t j = 0; j < n; ++j) {
    chirp[j] = twiddle_factor(j * j % (2 * n), 2 * n, sign);
    a[j] = x[j] * chirp[j];
    b[j] = b[(padded - j) % padded] = std::conj(chirp[j]);
  }
  Vector product = power_of_two_dft(a, -1);
  const Vector spectrum = power_of_two_dft(b, -1);
  for (std::uint64_t j = 0; j < padded; ++j) product[j] *= spectrum[j];
  Vector out = power_of_two_dft(product, 1);
  out.resize(n);
  for (std::uint64_t k = 0; k < n; ++k) out[k] *= chirp[k] / static_cast<double>(padded);
  return out;
}

// Complex elements that hold pairs of real points, one after another.
Vector unpacked(const Vector& pairs) {
  Vector points;
  points.reserve(2 * pairs.size());
  for (const Complex& pair : pairs) {
    points.emplace_back(pair.real());
    points.emplace_back(pair.imag());
  }
  return points;
}

double norm_of(const Vector& values) {
  double sum = 0;
  for (const Complex& value : values) sum += std::norm(value);
  return std::sqrt(sum);
}

// What the output should hold, element by element.
struct Wanted {
  Vector values;
  double size = 0;  // what errors are measured against: the norm of the values, or of what they were added from
  std::uint64_t points = 0;  // of a transform that may have been left unscaled: its length
};

Verdict compare(const Vector& out, const Wanted& wanted, double bound) {
  const Vector& reference = wanted.values;
  double error = 0, largest = -1;
  std::size_t worst = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double difference = std::norm(out[k] - reference[k]);
    error += difference;
    if (!(difference <= largest)) largest = difference, worst = k;
  }
  Verdict verdict;
  verdict.bound = bound;
  verdict.relative_l2 = error == 0 ? 0 : std::sqrt(error) / wanted.size;
  if (!std::isfinite(verdict.relative_l2)) verdict.relative_l2 = std::numeric_limits<double>::infinity();
  verdict.pass = verdict.relative_l2 <= bound;
  if (!verdict.pass)
    verdict.reason = fmt::format("element {} is ({}, {}), the reference says ({}, {})", worst, out[worst].real(),
                                 out[worst].imag(), reference[worst].real(), reference[worst].imag());
  return verdict;
}

Wanted wanted_transform(const Plan& plan, const Buffer& in, const Buffer& out, Vector x, std::uint64_t results) {
  const Expect& expect = plan.expect;
  const bool plane = traits(expect.transform).plane, inverse = traits(expect.transform).inverse;
  const std::vector<std::uint64_t>& shape = in.shape.size() == 2 ? in.shape : out.shape;
  if (plane && shape.size() != 2)
    throw usage_error("verify needs the shape of {} to compare a transform in two dimensions: [rows, columns]",
                      in.name);
  const std::uint64_t rows = plane ? shape[0] : 1;
  const std::uint64_t columns = plane ? shape[1] : 0;
  const std::uint64_t points = plane ? rows * columns : expect.points ? expect.points : in.count;
  if (points > x.size() && traits(in.type).components == 2) x = unpacked(x);
  if (points == 0 || x.size() % points != 0)
    throw usage_error("verify cannot divide the {} points of {} into transforms of {}", x.size(), in.name, points);
  const std::uint64_t transforms = x.size() / points;
  const std::uint64_t kept = results / transforms;  // a real input's spectrum may end in the middle
  if (results % transforms != 0 || kept > points)
    throw usage_error("verify cannot compare the {} values of {} with {} transforms of {} points", results, out.name,
                      transforms, points);

  Wanted wanted;
  wanted.points = points;
  wanted.values.reserve(results);
  for (std::uint64_t t = 0; t < transforms; ++t) {
    const std::span<const Complex> one(x.data() + t * points, points);
    const Vector spectrum = plane ? dft2d(one, rows, columns, expect.sign) : dft(one, expect.sign);
    const double scale = inverse ? 1 / static_cast<double>(points) : 1;
    for (std::uint64_t k = 0; k < kept; ++k) wanted.values.push_back(scale * spectrum[k]);
  }
  wanted.size = norm_of(wanted.values);
  return wanted;
}

// Prefix sums. Like those of a sum, errors are measured against what it would be of the magnitudes.
Wanted wanted_scan(const Plan& plan, const Buffer& in, const Buffer& out, const Vector& x, std::uint64_t results) {
  if (results != x.size())
    throw usage_error("verify cannot compare the {} values of {} with the {} prefix sums of {}", results, out.name,
                      x.size(), in.name);
  const std::uint64_t points = plan.expect.points ? plan.expect.points : std::max<std::uint64_t>(results, 1);
  Wanted wanted;
  Complex sum = 0, magnitudes = 0;
  double size = 0;
  for (std::uint64_t i = 0; i < results; ++i) {
    if (i % points == 0) sum = magnitudes = 0;
    const Complex before = sum;
    sum = {wrapped(in.type, sum.real() + x[i].real()), wrapped(in.type, sum.imag() + x[i].imag())};
    magnitudes += Complex(std::abs(x[i].real()), std::abs(x[i].imag()));
    wanted.values.push_back(plan.expect.exclusive ? before : sum);
    size += std::norm(magnitudes);
  }
  wanted.size = traits(in.type).floating ? std::sqrt(size) : 0;
  return wanted;
}

// Integer sums wrap around at 2^32 as the device's do. A float sum's error is measured against the sum of magnitudes,
// because the sum itself may vanish.
Wanted wanted_sum(const Buffer& in, const Vector& x) {
  double sum = 0, magnitudes = 0;
  std::int64_t whole = 0;
  const bool floating = traits(in.type).floating;
  for (const Complex& value : x) {
    sum += value.real();
    magnitudes += std::abs(value.real());
    if (!floating) whole += static_cast<std::int64_t>(value.real());
  }
  if (!floating) sum = wrapped(in.type, static_cast<double>(whole % (std::int64_t(1) << 32)));
  return {{sum}, floating ? magnitudes : 0, 0};
}

// A value counts in the bin of its whole part; what is beyond the first or the last bin counts there.
Vector wanted_bins(const Vector& x, std::size_t count) {
  Vector bins(count);
  const double last = static_cast<double>(count - 1);
  for (const Complex& value : x) bins[static_cast<std::size_t>(std::clamp(value.real(), 0.0, last))] += 1;
  return bins;
}

Verdict verify_histogram(const Vector& x, const Vector& result) {
  if (result.empty()) throw usage_error("verify needs bins to compare the counts with");
  const Vector bins = wanted_bins(x, result.size());
  Verdict verdict;
  verdict.pass = true;
  for (std::size_t bin = 0; bin < bins.size() && verdict.pass; ++bin) {
    if (result[bin].real() == bins[bin].real()) continue;
    verdict.pass = false;
    verdict.relative_l2 = std::numeric_limits<double>::infinity();
    verdict.reason = fmt::format("bin {} holds {}, the reference counts {}", bin, result[bin].real(), bins[bin].real());
  }
  return verdict;
}

// The buffers of the expectation, and what they hold. Throws Error (usage) where they do not fit the plan.
struct Compared {
  const Buffer *in, *out;
  Vector x, result;
};
Compared compared(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output) {
  const Expect& expect = plan.expect;
  if (expect.transform == Expect::Transform::None)
    throw usage_error("{} does not say what to expect: give it an [expect] table",
                      plan.title.empty() ? Message("the plan") : plan.title);
  const Buffer* in = plan.buffer_named(expect.input);
  const Buffer* out = plan.buffer_named(expect.output);
  if (!in || !out)
    throw usage_error("the plan expects something of buffer {}, which it does not have",
                      in ? expect.output : expect.input);
  if (input.size() != in->count * traits(in->type).bytes || output.size() != out->count * traits(out->type).bytes)
    throw usage_error("verify was given {} and {} bytes, which are not the contents of {} and {}", input.size(),
                      output.size(), in->name, out->name);
  return {in, out, values_of(*in, input), values_of(*out, output)};
}

Verdict verify(const Plan& plan, Compared& both, Wanted& wanted) {
  switch (plan.expect.transform) {
    case Expect::Transform::Sum: {
      if (both.result.empty()) throw usage_error("verify needs an element in {} for the sum", plan.expect.output);
      wanted = wanted_sum(*both.in, both.x);
      both.result.resize(1);
      Verdict verdict = compare({both.result.front().real()}, wanted, plan.expect.bound);
      if (!verdict.pass)
        verdict.reason = fmt::format("the sum is {}, the reference says {}", both.result.front().real(),
                                     wanted.values.front().real());
      return verdict;
    }
    case Expect::Transform::Histogram: return verify_histogram(both.x, both.result);
    default:
      wanted = plan.expect.transform == Expect::Transform::Scan
                   ? wanted_scan(plan, *both.in, *both.out, both.x, both.result.size())
                   : wanted_transform(plan, *both.in, *both.out, std::move(both.x), both.result.size());
      return compare(both.result, wanted, plan.expect.bound);
  }
}

// How many times larger all of `out` is than the reference, when that is about `points`; else 1.
double common_factor(const Vector& out, const Vector& reference, std::uint64_t points) {
  Complex along = 0;
  double size = 0, length = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    along += out[k] * std::conj(reference[k]);
    size += std::norm(reference[k]);
    length += std::norm(out[k]);
  }
  if (size == 0 || points < 2 || !std::isfinite(length)) return 1;
  const Complex factor = along / size;
  const double rest = length - std::norm(factor) * size;  // ‖out − factor·reference‖²
  const bool about = std::abs(factor - static_cast<double>(points)) < 0.01 * static_cast<double>(points);
  return about && rest < 1e-4 * length ? factor.real() : 1;
}

}  // namespace

std::vector<Complex> values_of(const Buffer& buffer, std::span<const std::byte> bytes) {
  const ElementTraits& make = traits(buffer.type);
  Vector values(buffer.count);
  for (std::uint64_t j = 0; j < buffer.count; ++j) {
    const std::byte* element = bytes.data() + j * make.bytes;
    values[j] = {component(buffer.type, element, 0), make.components == 2 ? component(buffer.type, element, 1) : 0};
  }
  return values;
}

std::vector<Complex> dft(std::span<const Complex> x, int sign) {
  if (x.empty()) return {};
  return is_power_of_two(x.size()) ? power_of_two_dft(x, sign) : bluestein(x, sign);
}

std::vector<Complex> dft2d(std::span<const Complex> x, std::uint64_t rows, std::uint64_t columns, int sign) {
  Vector out;
  out.reserve(x.size());
  for (std::uint64_t row = 0; row < rows; ++row) {
    const Vector spectrum = dft(x.subspan(row * columns, columns), sign);
    out.insert(out.end(), spectrum.begin(), spectrum.end());
  }
  Vector line(rows);
  for (std::uint64_t column = 0; column < columns; ++column) {
    for (std::uint64_t row = 0; row < rows; ++row) line[row] = out[row * columns + column];
    const Vector spectrum = dft(line, sign);
    for (std::uint64_t row = 0; row < rows; ++row) out[row * columns + column] = spectrum[row];
  }
  return out;
}

Verdict verify(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output) {
  Compared both = compared(plan, input, output);
  Wanted wanted;
  Verdict verdict = verify(plan, both, wanted);
  if (verdict.pass) verdict.reason = plan.expect.bound_reason;
  return verdict;
}

Outcome compare(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output) {
  Compared both = compared(plan, input, output);
  Wanted wanted;
  Outcome outcome;
  outcome.pass = verify(plan, both, wanted).pass;
  if (plan.expect.transform == Expect::Transform::Histogram) {
    wanted.values = wanted_bins(both.x, both.result.size());
    wanted.size = norm_of(wanted.values);
  }
  outcome.elements = both.result.size();
  if (outcome.pass || both.result.empty()) return outcome;

  // An element is wrong when its error alone is several times what the bound leaves each on average; where only their sum
  // is over the bound, the worst stands for all.
  const double room = 4 * plan.expect.bound * wanted.size / std::sqrt(static_cast<double>(wanted.values.size()));
  double worst = -1;
  for (std::size_t k = 0; k < both.result.size(); ++k) {
    const double error = std::abs(both.result[k] - wanted.values[k]);
    if (!(error <= room) && outcome.wrong++ == 0) outcome.element = k;
    if (outcome.wrong == 0 && error > worst) worst = error, outcome.element = k;
  }
  outcome.wrong = std::max<std::uint64_t>(outcome.wrong, 1);
  outcome.got = both.result[outcome.element];
  outcome.wanted = wanted.values[outcome.element];
  outcome.scale = common_factor(both.result, wanted.values, wanted.points);
  return outcome;
}

}  // namespace twiddle
