#include "kernels/signal/roots.h"

#include <cmath>
#include <numbers>

namespace twiddle {

std::complex<double> unit_root(double turns) {
  const double quarters = std::nearbyint(turns * 4);
  const double angle = 2 * std::numbers::pi * (turns - quarters / 4);  // −π/4 … π/4
  const double c = std::cos(angle), s = std::sin(angle);
  switch (static_cast<int>(quarters - 4 * std::floor(quarters / 4))) {
    case 0: return {c, s};
    case 1: return {-s, c};
    case 2: return {-c, -s};
    default: return {s, -c};
  }
}

std::complex<double> twiddle_factor(std::uint64_t k, std::uint64_t n, int sign) {
  const std::complex<double> root = unit_root(static_cast<double>(k % n) / static_cast<double>(n));
  return sign < 0 ? std::conj(root) : root;
}

}  // namespace twiddle
