// The part of CUDA's cooperative groups that says who works together: the grid, the block, and tiles of a warp; what they
// reduce, scan and copy together.
#pragma once

#include "collectives.h"

namespace cooperative_groups {

struct thread_block {
  static void sync(TWIDDLE_LINE) { __syncthreads(twiddle_line); }
  static unsigned thread_rank() { return twiddle_host::rank_in_block(); }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
  static void sync(TWIDDLE_LINE) { twiddle_host::grid_barrier(twiddle_line); }
  static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned long long size() { return num_threads(); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static bool is_valid() { return twiddle_host::this_item()->group->cooperative; }
};
inline grid_group this_grid() { return {}; }

/// `Size` neighbouring lanes of a warp: 1, 2, 4, … 32.
template <unsigned Size, typename Parent = thread_block>
struct thread_block_tile {
  static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "a tile is 1, 2, 4, 8, 16 or 32 threads");
  static unsigned mask() {
    return (Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1) << (twiddle_host::lane() / Size * Size);
  }
  static unsigned thread_rank() { return twiddle_host::lane() % Size; }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  static void sync(TWIDDLE_LINE) { __syncwarp(mask(), twiddle_line); }
  template <typename T>
  static T shfl(T value, int source, TWIDDLE_LINE) {
    return __shfl_sync(mask(), value, source, Size, twiddle_line);
  }
  template <typename T>
  static T shfl_up(T value, unsigned delta, TWIDDLE_LINE) {
    return __shfl_up_sync(mask(), value, delta, Size, twiddle_line);
  }
  template <typename T>
  static T shfl_down(T value, unsigned delta, TWIDDLE_LINE) {
    return __shfl_down_sync(mask(), value, delta, Size, twiddle_line);
  }
  template <typename T>
  static T shfl_xor(T value, unsigned lanes, TWIDDLE_LINE) {
    return __shfl_xor_sync(mask(), value, static_cast<int>(lanes), Size, twiddle_line);
  }
  // Votes number the lanes within the tile.
  static unsigned ballot(int predicate, TWIDDLE_LINE) {
    return __ballot_sync(mask(), predicate, twiddle_line) >> (twiddle_host::lane() / Size * Size);
  }
  static int any(int predicate, TWIDDLE_LINE) { return __any_sync(mask(), predicate, twiddle_line); }
  static int all(int predicate, TWIDDLE_LINE) { return __all_sync(mask(), predicate, twiddle_line); }
  template <typename T>
  static unsigned match_any(T value, TWIDDLE_LINE) {
    return __match_any_sync(mask(), value, twiddle_line) >> (twiddle_host::lane() / Size * Size);
  }
};
template <unsigned Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

/// Some lanes of a warp, numbered in their order.
class coalesced_group {
 public:
  explicit coalesced_group(unsigned mask) : mask_(mask) {}
  unsigned mask() const { return mask_; }
  unsigned thread_rank() const { return rank_of(twiddle_host::lane()); }
  unsigned num_threads() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  unsigned size() const { return num_threads(); }
  static unsigned meta_group_rank() { return 0; }
  static unsigned meta_group_size() { return 1; }
  void sync(TWIDDLE_LINE) const { __syncwarp(mask_, twiddle_line); }
  template <typename T>
  T shfl(T value, int source, TWIDDLE_LINE) const {
    return twiddle_host::shuffle(mask_, value, lane_of(static_cast<unsigned>(source)), twiddle_line);
  }
  template <typename T>
  T shfl_up(T value, unsigned delta, TWIDDLE_LINE) const {
    const unsigned rank = thread_rank();
    return twiddle_host::shuffle(mask_, value, lane_of(rank >= delta ? rank - delta : rank), twiddle_line);
  }
  template <typename T>
  T shfl_down(T value, unsigned delta, TWIDDLE_LINE) const {
    const unsigned rank = thread_rank();
    return twiddle_host::shuffle(mask_, value, lane_of(delta < size() - rank ? rank + delta : rank), twiddle_line);
  }
  unsigned ballot(int predicate, TWIDDLE_LINE) const { return packed(__ballot_sync(mask_, predicate, twiddle_line)); }
  int any(int predicate, TWIDDLE_LINE) const { return __any_sync(mask_, predicate, twiddle_line); }
  int all(int predicate, TWIDDLE_LINE) const { return __all_sync(mask_, predicate, twiddle_line); }
  template <typename T>
  unsigned match_any(T value, TWIDDLE_LINE) const {
    return packed(__match_any_sync(mask_, value, twiddle_line));
  }

 private:
  unsigned rank_of(unsigned lane) const {
    return static_cast<unsigned>(__builtin_popcount(mask_ & ((1u << lane) - 1)));
  }
  // Of a rank that there is not: the lane's own.
  unsigned lane_of(unsigned rank) const {
    for (unsigned lane = 0; lane < 32; ++lane)
      if ((mask_ >> lane & 1) && rank_of(lane) == rank) return lane;
    return twiddle_host::lane();
  }
  unsigned packed(unsigned lanes) const {
    unsigned ranks = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes & mask_ & 1u << lane) ranks |= 1u << rank_of(lane);
    return ranks;
  }
  unsigned mask_;
};
inline coalesced_group coalesced_threads(TWIDDLE_LINE) { return coalesced_group(__activemask(twiddle_line)); }
template <typename Group, typename Label>
coalesced_group labeled_partition(const Group& group, Label label, TWIDDLE_LINE) {
  return coalesced_group(__match_any_sync(group.mask(), label, twiddle_line));
}
template <typename Group>
coalesced_group binary_partition(const Group& group, bool predicate, TWIDDLE_LINE) {
  return coalesced_group(__match_any_sync(group.mask(), int(predicate), twiddle_line));
}

/// Any of the block, a tile and coalesced lanes.
class thread_group {
 public:
  thread_group(thread_block) : block_(true), lanes_(0) {}
  thread_group(coalesced_group lanes) : block_(false), lanes_(lanes) {}
  template <unsigned Size, typename Parent>
  thread_group(thread_block_tile<Size, Parent> tile) : block_(false), lanes_(tile.mask()) {}
  unsigned thread_rank() const { return block_ ? thread_block::thread_rank() : lanes_.thread_rank(); }
  unsigned num_threads() const { return block_ ? thread_block::num_threads() : lanes_.num_threads(); }
  unsigned size() const { return num_threads(); }
  unsigned mask() const { return lanes_.mask(); }
  void sync(TWIDDLE_LINE) const { block_ ? thread_block::sync(twiddle_line) : lanes_.sync(twiddle_line); }

 private:
  bool block_;
  coalesced_group lanes_;
};
inline thread_group tiled_partition(const thread_group&, unsigned size) {
  const unsigned lane = twiddle_host::lane();
  return coalesced_group((size >= 32 ? 0xffffffffu : (1u << size) - 1) << lane / size * size);
}

template <typename Group>
void sync(const Group& group, TWIDDLE_LINE) {
  group.sync(twiddle_line);
}
template <typename Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group>
auto group_size(const Group& group) {
  return group.size();
}

// ---- cooperative_groups/reduce.h and scan.h ----

#define TWIDDLE_OPERATION(name, expression)             \
  template <typename T = void>                          \
  struct name {                                         \
    T operator()(T a, T b) const { return expression; } \
  };                                                    \
  template <>                                           \
  struct name<void> {                                   \
    template <typename T>                               \
    T operator()(T a, T b) const {                      \
      return expression;                                \
    }                                                   \
  };
TWIDDLE_OPERATION(plus, a + b)
TWIDDLE_OPERATION(less, b < a ? b : a)
TWIDDLE_OPERATION(greater, a < b ? b : a)
TWIDDLE_OPERATION(bit_and, a& b)
TWIDDLE_OPERATION(bit_or, a | b)
TWIDDLE_OPERATION(bit_xor, a ^ b)
#undef TWIDDLE_OPERATION

/// Every lane gets it. A tree where there are as many lanes as it needs, else one after another.
template <typename Group, typename T, typename Operation>
T reduce(const Group& group, T value, Operation operation, TWIDDLE_LINE) {
  const unsigned size = group.size();
  if (size & (size - 1)) {
    T total = group.shfl(value, 0, twiddle_line);
    for (unsigned rank = 1; rank < size; ++rank)
      total = operation(total, group.shfl(value, static_cast<int>(rank), twiddle_line));
    return total;
  }
  for (unsigned step = size / 2; step > 0; step /= 2)
    value = operation(value, group.shfl(value, static_cast<int>(group.thread_rank() ^ step), twiddle_line));
  return value;
}
template <typename Group, typename T, typename Operation = plus<>>
T inclusive_scan(const Group& group, T value, Operation operation = {}, TWIDDLE_LINE) {
  for (unsigned step = 1; step < group.size(); step *= 2) {
    const T before = group.shfl_up(value, step, twiddle_line);
    if (group.thread_rank() >= step) value = operation(before, value);
  }
  return value;
}
template <typename Group, typename T, typename Operation = plus<>>
T exclusive_scan(const Group& group, T value, Operation operation = {}, TWIDDLE_LINE) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation, twiddle_line), 1, twiddle_line);
  return group.thread_rank() == 0 ? T() : before;
}

// ---- cooperative_groups/memcpy_async.h: done before the call returns, and waited for all the same ----

template <typename Group, typename To, typename From>
void memcpy_async(const Group& group, To* to, const From* from, size_t bytes) {
  char* target = reinterpret_cast<char*>(to);
  const char* source = reinterpret_cast<const char*>(from);
  const size_t word = bytes % 4 == 0 ? 4 : 1;
  for (size_t at = group.thread_rank() * word; at < bytes; at += group.size() * word) {
    if (word == 4)
      *reinterpret_cast<unsigned*>(target + at) = *reinterpret_cast<const unsigned*>(source + at);
    else
      target[at] = source[at];
  }
}
template <typename Group>
void wait(const Group& group, TWIDDLE_LINE) {
  group.sync(twiddle_line);
}

}  // namespace cooperative_groups
