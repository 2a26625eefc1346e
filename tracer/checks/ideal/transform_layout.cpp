#include "tracer/checks/ideal/transform_layout.h"

namespace twiddle {
namespace {

// The lowest `bits` bits in reverse order of their digits; what is left over where digits do not divide them is a short digit.
std::uint32_t reversed(std::uint32_t number, int bits, int log_radix) {
  std::uint32_t result = 0;
  for (int done = 0; done < bits;) {
    const int digit = bits - done < log_radix ? bits - done : log_radix;
    result = (result << digit) | (number & ((std::uint32_t(1) << digit) - 1));
    number >>= digit;
    done += digit;
  }
  return result;
}

}  // namespace

Slot usual_slot(Layout layout, std::uint32_t index, int bits, int log_length, int log_radix) {
  const int log_parts = bits - log_length;
  if (layout == Layout::Blocks)
    return {reversed(index >> log_length, log_parts, log_radix), index & ((std::uint32_t(1) << log_length) - 1)};
  return {index & ((std::uint32_t(1) << log_parts) - 1), index >> log_parts};
}

}  // namespace twiddle
