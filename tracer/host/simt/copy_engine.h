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
TWIDDLE_DEVICE void await_copies(Arrival*, int, TWIDDLE_LINE) {
  twiddle_host::Item* item = twiddle_host::this_item();
  item->services->group_barrier(item, twiddle_host::BarrierOperation::Copies, 0, twiddle_line);
}

namespace twiddle_host {

// One element; of no `from` it is zero.
template <class T>
TWIDDLE_DEVICE void copy_element(T* to, const T* from, int line) {
  Item* item = this_item();
  const Address target = reinterpret_cast<Address>(to), source = reinterpret_cast<Address>(from);
  const Group* group = item->group;
  if (source && !inside(group->ranges[group->recent], source, sizeof(T)))
    look_further(item, source, sizeof(T), Touch::Read, __builtin_return_address(0));
  if (!inside(group->ranges[group->recent], target, sizeof(T)))
    look_further(item, target, sizeof(T), Touch::Write, __builtin_return_address(0));
  *to = from ? *from : T{};
  if (item->logged) item->services->copied(item, target, source, sizeof(T), line);
}

}  // namespace twiddle_host

template <class T>
TWIDDLE_DEVICE void copy_run(T* to, const T* from, int count, Arrival*, TWIDDLE_LINE) {
  for (int i = 0; i < count; ++i) twiddle_host::copy_element(to + i, from + i, twiddle_line);
}
template <class T>
TWIDDLE_DEVICE void copy_box(T* to, const Boxes& boxes, int column, int row, Arrival*, TWIDDLE_LINE) {
  // What is outside the array is zero, as the engine has it.
  const auto inside = [](long long at, unsigned long long count) {
    return at >= 0 && static_cast<unsigned long long>(at) < count;
  };
  const T* first = static_cast<const T*>(boxes.first);
  for (unsigned r = 0; r < boxes.rows; ++r)
    for (unsigned c = 0; c < boxes.columns; ++c) {
      const long long y = static_cast<long long>(row) + r, x = static_cast<long long>(column) + c;
      const bool there = inside(y, boxes.height) && inside(x, boxes.pitch);
      twiddle_host::copy_element(to + r * boxes.columns + c,
                                 there ? first + static_cast<unsigned long long>(y) * boxes.pitch + x : nullptr,
                                 twiddle_line);
    }
}
