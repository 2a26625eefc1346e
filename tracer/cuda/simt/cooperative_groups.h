// Stands in for CUDA's header of this name where only NVRTC is installed, without the toolkit's headers: the grid, the block
// and tiles of a warp, as far as synchronising and shuffling go.
#pragma once

namespace cooperative_groups {

struct thread_block {
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned size() { return num_threads(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 dim_threads() { return blockDim; }
};
__device__ inline thread_block this_thread_block() { return {}; }

namespace twiddle {
// Blocks that have come to the barrier, and how many times all had. A cooperative launch keeps all blocks on the device at the
// same time, so that waiting for each other ends.
static __device__ unsigned arrived, rounds;
}  // namespace twiddle

struct grid_group {
  __device__ static void sync() {
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      volatile unsigned* rounds = &twiddle::rounds;
      unsigned round = *rounds;
      __threadfence();
      if (atomicAdd(&twiddle::arrived, 1u) == num_blocks() - 1) {
        twiddle::arrived = 0;
        __threadfence();
        *rounds = round + 1;
      } else {
        while (*rounds == round) {}
      }
      __threadfence();
    }
    __syncthreads();
  }
  __device__ static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __device__ static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static dim3 dim_blocks() { return gridDim; }
};
__device__ inline grid_group this_grid() { return {}; }

/// `Size` neighbouring lanes of a warp: 1, 2, 4, … 32.
template <unsigned Size, typename Parent = thread_block>
struct thread_block_tile {
  static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "a tile is 1, 2, 4, 8, 16 or 32 threads");
  __device__ static unsigned lane() { return thread_block::thread_rank() % 32; }
  __device__ static unsigned mask() {
    return (Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1) << (lane() / Size * Size);
  }
  __device__ static unsigned thread_rank() { return lane() % Size; }
  __device__ static unsigned num_threads() { return Size; }
  __device__ static unsigned size() { return Size; }
  __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  __device__ static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  __device__ static void sync() { __syncwarp(mask()); }
  template <typename T>
  __device__ static T shfl(T value, int source) {
    return __shfl_sync(mask(), value, source, Size);
  }
  template <typename T>
  __device__ static T shfl_up(T value, unsigned delta) {
    return __shfl_up_sync(mask(), value, delta, Size);
  }
  template <typename T>
  __device__ static T shfl_down(T value, unsigned delta) {
    return __shfl_down_sync(mask(), value, delta, Size);
  }
  template <typename T>
  __device__ static T shfl_xor(T value, unsigned lanes) {
    return __shfl_xor_sync(mask(), value, lanes, Size);
  }
  __device__ static unsigned ballot(int predicate) {
    return __ballot_sync(mask(), predicate) >> (lane() / Size * Size);
  }
  __device__ static int any(int predicate) { return __any_sync(mask(), predicate); }
  __device__ static int all(int predicate) { return __all_sync(mask(), predicate); }
};
template <unsigned Size, typename Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

template <typename Group>
__device__ void sync(const Group&) {
  Group::sync();
}

}  // namespace cooperative_groups
