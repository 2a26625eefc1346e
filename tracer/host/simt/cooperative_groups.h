// The part of CUDA's cooperative groups that says who works together: the grid, the block, and tiles of a warp.
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

template <typename Group>
void sync(const Group&, TWIDDLE_LINE) {
  Group::sync(twiddle_line);
}

}  // namespace cooperative_groups
