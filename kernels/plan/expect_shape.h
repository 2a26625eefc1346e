// How an expectation is placed in its buffers: which element is point i of transform t, in the input and in the output.
#pragma once

#include "kernels/plan/plan.h"

#include <cstdint>

namespace twiddle {

/// The points of one side. A point is `grain` components of the buffer, taken as one sequence of components: the one or two of
/// an element, one of the many of a wide vector, or two neighbours of scalars. With `imaginary` the point's parts are the
/// components of the same number in two buffers.
struct PointMap {
  static constexpr std::size_t none = ~std::size_t(0);
  std::size_t buffer = none, imaginary = none;  // indices into Plan::buffers
  int grain = 1;                                // components of a point in one buffer: 1, or 2 (real, imaginary)
  int element_components = 1;                   // of an element of the buffer
  std::uint64_t capacity = 0;                   // points that the buffer has room for
  std::uint64_t rows = 1, columns = 0;          // points of one transform
  std::uint64_t stride = 1, row_stride = 0, dist = 0, offset = 0;  // in points

  std::uint64_t length() const { return rows * columns; }
  /// Where point i (row by row) of transform t is, in points from the buffer's start.
  std::uint64_t point(std::uint64_t transform, std::uint64_t i) const {
    return offset + transform * dist + i / columns * row_stride + i % columns * stride;
  }
  /// The element of the buffer that this point is in, or begins in.
  std::uint64_t element(std::uint64_t transform, std::uint64_t i) const {
    return point(transform, i) * static_cast<std::uint64_t>(grain) / static_cast<std::uint64_t>(element_components);
  }
};

struct ExpectShape {
  std::uint64_t points = 0;             // of one transform; of a plane rows × columns
  std::uint64_t rows = 1, columns = 0;  // of a plane
  std::uint64_t batch = 1;
  PointMap from, to;                     // without a buffer where the transform has no input
  std::size_t operand = PointMap::none;  // buffer of taps or segments; of `equals` it is from.buffer
  std::uint64_t tap_columns = 0;         // of a convolution in two dimensions
};

/// Lays the plan's expectation over its buffers. Throws Error (usage), a sentence with the right numbers, where they do not
/// fit, and where the plan has none.
ExpectShape shape_of_expectation(const Plan& plan);

}  // namespace twiddle
