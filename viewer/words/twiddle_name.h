// Names for twiddle factors: w_4^1 = −i. The angle and the exact value behind the digits that a kernel used.
#pragma once

#include "tracer/trace/number_text.h"

#include <complex>
#include <cstdint>
#include <string>

namespace twiddle {

/// A complex number seen as a power of w_N = e^(−2πi/N).
struct TwiddleName {
  bool is_power = false;      // it is w_points^exponent, within what float trigonometry may be off
  bool exact = false;         // … and within the last bit of a float
  std::uint64_t points = 1;   // N
  std::int64_t exponent = 0;  // −N/2 … N/2; negative for conjugate twiddles
  double degrees = 0;         // −180 … 180, of the number itself
  double magnitude = 1;
  std::string value;  // "−i", "(1 − i)/√2", "e^(−3πi/8)"; empty when it is no power
};

/// `sign` (of the transform's exponent) settles what −1 is called: w^(N/2) or w^(−N/2). `points` ≥ 1.
TwiddleName name_twiddle(std::complex<double> w, std::uint64_t points, int sign = -1);

/// "−22.5°", at most four significant digits.
std::string degrees_text(double degrees);

}  // namespace twiddle
