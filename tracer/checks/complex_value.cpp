#include "tracer/checks/complex_value.h"

#include "kernels/signal/roots.h"

#include <cmath>
#include <cstring>

namespace twiddle {

std::complex<double> complex_of(const Value& value) {
  // The types that transforms work in, without a detour.
  if (value.type == ElementType::Float2) {
    float parts[2];
    std::memcpy(parts, value.bits.data(), sizeof parts);
    return {parts[0], parts[1]};
  }
  if (value.type == ElementType::Double2) {
    double parts[2];
    std::memcpy(parts, value.bits.data(), sizeof parts);
    return {parts[0], parts[1]};
  }
  return {value.component(0), traits(value.type).components == 2 ? value.component(1) : 0.0};
}

std::complex<double> root_of_unity(std::uint64_t k, std::uint64_t n, int sign) { return twiddle_factor(k, n, sign); }

std::uint64_t nearest_root(std::complex<double> number, std::uint64_t n, int sign) {
  const double turns = std::arg(number) / std::arg(root_of_unity(1, n, sign));
  const auto whole = static_cast<std::int64_t>(n);
  return std::isfinite(turns) ? static_cast<std::uint64_t>((std::llround(turns) % whole + whole) % whole) : 0;
}

}  // namespace twiddle
