// Logged values as numbers that checks can compute with.
#pragma once

#include "tracer/trace/number_text.h"

#include <cmath>
#include <complex>
#include <cstdint>

namespace twiddle {

/// The value as a complex number; real types have no imaginary part.
std::complex<double> complex_of(const Value& value);

/// |z|. Quicker than std::abs, which it leaves the numbers to whose squares a double cannot hold.
inline double magnitude(std::complex<double> z) {
  const double square = z.real() * z.real() + z.imag() * z.imag();
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::abs(z);
}

/// e^(sign·2πi·k/n).
std::complex<double> root_of_unity(std::uint64_t k, std::uint64_t n, int sign);
/// The k, 0 … n − 1, of the root of unity in whose direction a number points; 0 where it points nowhere.
std::uint64_t nearest_root(std::complex<double> number, std::uint64_t n, int sign);

/// How far a right twiddle factor may be from the exact one. Rounding of floats is 6e-8; the quick functions of devices are
/// off by a few 1e-6 (the published run of fft-radix2 shows 3e-6).
constexpr double twiddle_tolerance(ElementType type) {
  return type == ElementType::Double2 || type == ElementType::Double ? 1e-11 : 8e-6;
}

/// How far the outcome of one operation may be from the exact one, relative to the sum of its terms' magnitudes: a few
/// roundings; 0 for integers, which are exact.
constexpr double value_tolerance(ElementType type) {
  switch (type) {
    case ElementType::Float:
    case ElementType::Float2: return 1e-6;
    case ElementType::Double:
    case ElementType::Double2: return 4e-15;
    default: return 0;
  }
}

}  // namespace twiddle
