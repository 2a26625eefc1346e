#include "tracer/checks/complex_value.h"

#include "kernels/signal/roots.h"

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

}  // namespace twiddle
