// What an operation should have written, given what it read: the arithmetic of kernels, done again on the host in every way
// that compilers do it.
#pragma once

#include "tracer/trace/operation.h"

#include <array>
#include <cstddef>

namespace twiddle {

/// `count` operations of one shape, as columns. A variant is one way of rounding: fused multiply-adds or not, and in which
/// order. The same inputs give the same bits on every machine, NaN included (always the quiet NaN without a payload).
struct ArithmeticColumns {
  std::size_t count = 0;
  // Of as many as the shape has; the others are not set.
  std::array<const std::byte*, max_legs> coefficients, reads;
  std::array<std::byte*, max_legs> writes;
};

struct ArithmeticType {
  Shape shape = Shape::None;
  ElementType value = ElementType::Float2, coefficient = ElementType::Float2;
};

/// How many variants there are, numbered from 0; 0 where nothing can be said of the writes. The numbers are part of the
/// file format (docs/trace-format.md lists them): never renumber.
int variant_count(const ArithmeticType& type);

/// Computes the writes by a variant below variant_count(). A Term "writes" its sum: acc + w·x, to writes[0].
void compute_writes(const ArithmeticType& type, int variant, const ArithmeticColumns& columns);

}  // namespace twiddle
