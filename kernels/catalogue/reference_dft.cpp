// The discrete Fourier transform in double precision, as it is defined.
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/reference.h"
#include "kernels/signal/roots.h"

#include <bit>

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

}  // namespace

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

}  // namespace twiddle
