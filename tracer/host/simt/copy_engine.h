// The functions of kernels/cuda/copy_engine.h on a processor: what is asked for has come when the block has met at the wait.
#pragma once

#include "collectives.h"

using twiddle_host::Boxes;
struct Arrival {
  int copies;
};

TWIDDLE_DEVICE void expect_copies(Arrival* arrival, int copies) { arrival->copies = copies; }
TWIDDLE_DEVICE void expect_bytes(Arrival*, int) {}
TWIDDLE_DEVICE void leave_to_engine() {}
TWIDDLE_DEVICE void await_copies(Arrival*, int, TWIDDLE_LINE) { __syncthreads(twiddle_line); }

template <class T>
TWIDDLE_DEVICE void copy_run(T* to, const T* from, int count, Arrival*) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}
template <class T>
TWIDDLE_DEVICE void copy_box(T* to, const Boxes& boxes, int column, int row, Arrival*) {
  // What is outside the array is zero, as the engine has it.
  const auto inside = [](long long at, unsigned long long count) {
    return at >= 0 && static_cast<unsigned long long>(at) < count;
  };
  const T* first = static_cast<const T*>(boxes.first);
  for (unsigned r = 0; r < boxes.rows; ++r)
    for (unsigned c = 0; c < boxes.columns; ++c) {
      const long long y = static_cast<long long>(row) + r, x = static_cast<long long>(column) + c;
      to[r * boxes.columns + c] = inside(y, boxes.height) && inside(x, boxes.pitch)
                                      ? first[static_cast<unsigned long long>(y) * boxes.pitch + x]
                                      : T{};
    }
}
