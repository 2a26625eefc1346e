// What work-items do together: barriers of the group and the grid, shuffles and votes of the warp. Each call hands its
// item to the executor, which lets it go on when all that have to take part have come.
#pragma once

#include "checks.h"
#include "math.h"

TWIDDLE_DEVICE void __syncthreads(TWIDDLE_LINE) {
  twiddle_host::Item* item = twiddle_host::this_item();
  item->services->group_barrier(item, twiddle_host::BarrierOperation::Sync, 0, twiddle_line);
}
TWIDDLE_DEVICE int __syncthreads_count(int predicate, TWIDDLE_LINE) {
  twiddle_host::Item* item = twiddle_host::this_item();
  return static_cast<int>(
      item->services->group_barrier(item, twiddle_host::BarrierOperation::Count, predicate != 0, twiddle_line));
}
TWIDDLE_DEVICE int __syncthreads_and(int predicate, TWIDDLE_LINE) {
  twiddle_host::Item* item = twiddle_host::this_item();
  return static_cast<int>(
      item->services->group_barrier(item, twiddle_host::BarrierOperation::And, predicate != 0, twiddle_line));
}
TWIDDLE_DEVICE int __syncthreads_or(int predicate, TWIDDLE_LINE) {
  twiddle_host::Item* item = twiddle_host::this_item();
  return static_cast<int>(
      item->services->group_barrier(item, twiddle_host::BarrierOperation::Or, predicate != 0, twiddle_line));
}

namespace twiddle_host {

TWIDDLE_DEVICE void grid_barrier(TWIDDLE_LINE) {
  Item* item = this_item();
  item->services->grid_barrier(item, twiddle_line);
}

TWIDDLE_DEVICE unsigned lane() { return this_item()->rank % warp_size; }

TWIDDLE_DEVICE unsigned long long warp(WarpOperation operation, unsigned mask, unsigned long long value,
                                       unsigned source, int line) {
  Item* item = this_item();
  return item->services->warp(item, operation, mask, value, source, line);
}

template <typename T>
TWIDDLE_DEVICE T shuffle(unsigned mask, T value, unsigned source, int line) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = warp(WarpOperation::Shuffle, mask, bits, source, line);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace twiddle_host

// Lanes are numbered within segments of `width`; a source outside of its segment gives the lane its own value.
template <typename T>
TWIDDLE_DEVICE T __shfl_sync(unsigned mask, T value, int source, int width = 32, TWIDDLE_LINE) {
  const unsigned lane = twiddle_host::lane(), w = static_cast<unsigned>(width);
  return twiddle_host::shuffle(mask, value, (lane & ~(w - 1)) | (static_cast<unsigned>(source) & (w - 1)),
                               twiddle_line);
}
template <typename T>
TWIDDLE_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, TWIDDLE_LINE) {
  const unsigned lane = twiddle_host::lane(), within = lane & (static_cast<unsigned>(width) - 1);
  return twiddle_host::shuffle(mask, value, within >= delta ? lane - delta : lane, twiddle_line);
}
template <typename T>
TWIDDLE_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, TWIDDLE_LINE) {
  const unsigned lane = twiddle_host::lane(), w = static_cast<unsigned>(width), within = lane & (w - 1);
  return twiddle_host::shuffle(mask, value, delta < w - within ? lane + delta : lane, twiddle_line);
}
template <typename T>
TWIDDLE_DEVICE T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, TWIDDLE_LINE) {
  const unsigned lane = twiddle_host::lane(), w = static_cast<unsigned>(width);
  const unsigned source = lane ^ static_cast<unsigned>(lane_mask);
  return twiddle_host::shuffle(mask, value, (source & ~(w - 1)) <= (lane & ~(w - 1)) ? source : lane, twiddle_line);
}

TWIDDLE_DEVICE void __syncwarp(unsigned mask = 0xffffffffu, TWIDDLE_LINE) {
  twiddle_host::warp(twiddle_host::WarpOperation::Sync, mask, 0, 0, twiddle_line);
}
TWIDDLE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate, TWIDDLE_LINE) {
  return static_cast<unsigned>(
      twiddle_host::warp(twiddle_host::WarpOperation::Ballot, mask, predicate != 0, 0, twiddle_line));
}
TWIDDLE_DEVICE int __any_sync(unsigned mask, int predicate, TWIDDLE_LINE) {
  return __ballot_sync(mask, predicate, twiddle_line) != 0;
}
TWIDDLE_DEVICE int __all_sync(unsigned mask, int predicate, TWIDDLE_LINE) {
  return __ballot_sync(mask, !predicate, twiddle_line) == 0;
}
template <typename T>
TWIDDLE_DEVICE unsigned __match_any_sync(unsigned mask, T value, TWIDDLE_LINE) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return static_cast<unsigned>(twiddle_host::warp(twiddle_host::WarpOperation::MatchAny, mask, bits, 0, twiddle_line));
}
template <typename T>
TWIDDLE_DEVICE_WRITES unsigned __match_all_sync(unsigned mask, T value, int* all, TWIDDLE_LINE) {
  const unsigned same = __match_any_sync(mask, value, twiddle_line);
  *all = __ballot_sync(mask, same == mask, twiddle_line) == mask;
  return *all ? mask : 0;
}
#define TWIDDLE_WARP_REDUCE(name, T, operation)                                               \
  TWIDDLE_DEVICE T name(unsigned mask, T value, TWIDDLE_LINE) {                               \
    return static_cast<T>(twiddle_host::warp(twiddle_host::WarpOperation::operation, mask,    \
                                             static_cast<unsigned>(value), 0, twiddle_line)); \
  }
TWIDDLE_WARP_REDUCE(__reduce_add_sync, unsigned, Add)
TWIDDLE_WARP_REDUCE(__reduce_add_sync, int, Add)
TWIDDLE_WARP_REDUCE(__reduce_min_sync, unsigned, Min)
TWIDDLE_WARP_REDUCE(__reduce_min_sync, int, SignedMin)
TWIDDLE_WARP_REDUCE(__reduce_max_sync, unsigned, Max)
TWIDDLE_WARP_REDUCE(__reduce_max_sync, int, SignedMax)
TWIDDLE_WARP_REDUCE(__reduce_and_sync, unsigned, And)
TWIDDLE_WARP_REDUCE(__reduce_or_sync, unsigned, Or)
TWIDDLE_WARP_REDUCE(__reduce_xor_sync, unsigned, Xor)
#undef TWIDDLE_WARP_REDUCE

// Lanes run one after another here: those that come to this line before their warp can do anything else are active together,
// as where a warp keeps together as long as it can.
TWIDDLE_DEVICE unsigned __activemask(TWIDDLE_LINE) {
  return static_cast<unsigned>(
      twiddle_host::warp(twiddle_host::WarpOperation::Active, 1u << twiddle_host::lane(), 0, 0, twiddle_line));
}
