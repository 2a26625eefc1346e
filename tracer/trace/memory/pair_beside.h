// A buffer of real numbers, two of which beside each other are a complex value.
#pragma once

#include "tracer/trace/trace.h"

namespace twiddle {

/// The pair of real and imaginary parts that take turns in a buffer of real numbers, which is buffer `number` of a trace;
/// `launch` is the first that has such values.
BufferInfo pair_beside_in(const BufferInfo& buffer, int number, int launch);

}  // namespace twiddle
