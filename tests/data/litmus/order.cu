// Values handed from block to block: what orders them and what does not. Kernels named right_… are, kernels named wrong_… are not.
#include <cuda/atomic>

#define ARGUMENTS int *flags, int *box, int *out, int at
#define WRITER if (blockIdx.x == 0 && threadIdx.x == 0)
#define READER if (blockIdx.x == 1 && threadIdx.x == 0)

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void right_fences(ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    __threadfence();
    atomicExch(&flags[at], 1);
  }
  READER {
    while (atomicAdd(&flags[at], 0) == 0);
    __threadfence();
    out[at] = box[at];
  }
}

__global__ void wrong_no_fence(ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomicExch(&flags[at], 1);
  }
  READER {
    while (atomicAdd(&flags[at], 0) == 0);
    __threadfence();
    out[at] = box[at];
  }
}

__global__ void wrong_no_fence_to_read(ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    __threadfence();
    atomicExch(&flags[at], 1);
  }
  READER {
    while (atomicAdd(&flags[at], 0) == 0);
    out[at] = box[at];
  }
}

__global__ void wrong_fence_of_the_block(ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    __threadfence_block();
    atomicExch(&flags[at], 1);
  }
  READER {
    while (atomicAdd(&flags[at], 0) == 0);
    __threadfence();
    out[at] = box[at];
  }
}

__global__ void right_volatile(volatile int *flags, int *box, int *out, int at)
{
  WRITER {
    box[at] = 7;
    __threadfence();
    flags[at] = 1;
  }
  READER {
    while (!flags[at]);
    __threadfence();
    out[at] = box[at];
  }
}

// Every thread fences what it wrote, and one speaks for the block.
__global__ void right_block(ARGUMENTS)
{
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    box[at + t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(&flags[at], 1);
  } else if (blockIdx.x == 1) {
    if (t == 0)
      while (atomicAdd(&flags[at], 0) == 0);
    __syncthreads();
    out[at + t] = box[at + t];
  }
}

__global__ void wrong_block(ARGUMENTS)
{
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    box[at + t] = t;
    __syncthreads();
    if (t == 0) atomicExch(&flags[at], 1);
  } else if (blockIdx.x == 1) {
    if (t == 0)
      while (atomicAdd(&flags[at], 0) == 0);
    __syncthreads();
    out[at + t] = box[at + t];
  }
}

__global__ void right_release_acquire(ARGUMENTS)
{
  Flag flag(flags[at]);
  WRITER {
    box[at] = 7;
    flag.store(1, cuda::memory_order_release);
  }
  READER {
    while (flag.load(cuda::memory_order_acquire) == 0);
    out[at] = box[at];
  }
}

__global__ void wrong_relaxed(ARGUMENTS)
{
  Flag flag(flags[at]);
  WRITER {
    box[at] = 7;
    flag.store(1, cuda::memory_order_relaxed);
  }
  READER {
    while (flag.load(cuda::memory_order_acquire) == 0);
    out[at] = box[at];
  }
}

__global__ void wrong_scope(ARGUMENTS)
{
  cuda::atomic_ref<int, cuda::thread_scope_block> flag(flags[at]);
  WRITER {
    box[at] = 7;
    flag.store(1, cuda::std::memory_order_release);
  }
  READER {
    while (flag.load(cuda::std::memory_order_acquire) == 0);
    out[at] = box[at];
  }
}

__global__ void right_shared_flag(ARGUMENTS)
{
  __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
  __shared__ int value;
  if (threadIdx.x == 0) ready.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 5;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0);
    out[at + blockIdx.x] = value;
  }
}

__global__ void right_last_done(ARGUMENTS)
{
  if (threadIdx.x != 0) return;
  box[at + blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(&flags[at], 1) == 3) {
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += box[at + i];
    out[at] = sum;
  }
}

__global__ void right_lock(ARGUMENTS)
{
  if (threadIdx.x != 0) return;
  while (atomicCAS(&flags[at], 0, 1) != 0);
  __threadfence();
  box[at] += 2;
  __threadfence();
  atomicExch(&flags[at], 0);
}

__global__ void wrong_lock(ARGUMENTS)
{
  if (threadIdx.x != 0) return;
  while (atomicCAS_block(&flags[at], 0, 1) != 0);
  __threadfence();
  box[at] += 2;
  __threadfence();
  atomicExch_block(&flags[at], 0);
}

// The sum of all blocks before this one, whichever of them is far enough.
__global__ void right_look_back(ARGUMENTS)
{
  if (threadIdx.x != 0) return;
  const int b = blockIdx.x;
  box[at + b] = b + 1;
  __threadfence();
  atomicExch(&flags[at + b], 1);
  int sum = b + 1;
  for (int p = b - 1; p >= 0; --p) {
    while (atomicAdd(&flags[at + p], 0) == 0);
    __threadfence();
    sum += box[at + p];
  }
  out[at + b] = sum;
}

// The lanes of a warp go on by themselves, whatever is volatile.
__global__ void right_lanes_meet(ARGUMENTS)
{
  __shared__ volatile int s[4];
  const int t = threadIdx.x;
  s[t] = box[at + t];
  __syncwarp();
  const int other = s[1 - t];
  __syncwarp();
  s[t] = other;
  out[at + 2 * blockIdx.x + t] = s[t];
}

__global__ void wrong_lanes_do_not_meet(ARGUMENTS)
{
  __shared__ volatile int s[4];
  const int t = threadIdx.x;
  s[t] = box[at + t];
  __syncwarp();
  s[t] = t + 1;
  out[at + 2 * blockIdx.x + t] = s[1 - t];
}

__global__ void right_lane_waits(ARGUMENTS)
{
  __shared__ volatile int s[4];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncwarp();
  s[t] = t + 1;
  while (s[1 - t] == 0);
  out[at + 2 * blockIdx.x + t] = t;
}
