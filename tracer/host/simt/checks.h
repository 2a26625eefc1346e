// What is done before kernel code touches memory: where is it, and may the item wait for others? Of the accesses that the
// compiler tells of (hooks.h) and of the atomic operations (atomics.h).
#pragma once

#include "item.h"

namespace twiddle_host {

inline constexpr unsigned patient_reads = 1000;  // of one element in a row, before the others get their turn

TWIDDLE_UNCHECKED static inline bool inside(const Range& range, Address address, Address bytes) {
  const Address from = address - range.first;
  return from < range.bytes && range.bytes - from >= bytes;
}

TWIDDLE_UNCHECKED __attribute__((noinline)) static inline void look_further(Item* item, Address address, Address bytes,
                                                                            Touch how, const void* pc) {
  Group* group = item->group;
  for (unsigned i = 0; i < group->range_count; ++i)
    if (inside(group->ranges[i], address, bytes)) {
      group->recent = i;
      return;
    }
  item->services->bad_access(item, address, bytes, how, pc);
}

// An item that reads the same over and over waits for what another writes.
TWIDDLE_UNCHECKED static inline void read_again(Item* item, Address address, const void* pc) {
  if (++item->repeats < patient_reads) return;
  item->repeats = 0;
  item->services->waiting(item, address, pc);
}

// An atomic operation from this header: checked like a write, and like a read when it goes on and on.
TWIDDLE_UNCHECKED static inline void check_atomic(const void* pointer, Address bytes, const void* pc) {
  Item* item = this_item();
  const Address address = reinterpret_cast<Address>(pointer);
  if (item->logged) item->services->settle(item);
  if (!inside(item->group->ranges[item->group->recent], address, bytes))
    look_further(item, address, bytes, Touch::Write, pc);
  if (address == item->last_read) {
    read_again(item, address, pc);
  } else {
    item->last_read = address;
    item->repeats = 0;
  }
}

}  // namespace twiddle_host
