// Values as a log holds them.
#pragma once

#include "tracer/trace/operation.h"

#include <cstring>

namespace twiddle {

inline Value complex_value(float re, float im) {
  Value value;
  value.type = ElementType::Float2;
  std::memcpy(value.bits.data(), &re, 4);
  std::memcpy(value.bits.data() + 4, &im, 4);
  return value;
}

}  // namespace twiddle
