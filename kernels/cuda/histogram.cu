// Histograms of 256 bins, three ways to keep threads from waiting for each other at the same bin.
//
// Each thread counts `trips` values; neighbours read neighbours: trip i of thread lid reads block·threads·trips + i·threads + lid.
// A value beyond the last bin counts there.

#include "trace_device.h"

typedef unsigned int uint;

#define BINS 256

// 1. In shared memory: each block counts into 256 bins of its own and leaves them in its row of `partial`.
extern "C" __global__ void histogram_local(const uint *values, uint *partial, uint n, uint trips TRACE_PARAMS)
{
  __shared__ uint bins[BINS];
  uint lid = threadIdx.x, size = blockDim.x;

  for (uint b = lid; b < BINS; b += size) {
    bins[b] = 0;
    TRACE_STORE(bins, b, 0u);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (uint i = 0; i < trips; ++i) {
    uint at = blockIdx.x * size * trips + i * size + lid;
    if (at < n) {
      uint value = values[at];
      TRACE_LOAD(values, at, value);
      uint bin = min(value, BINS - 1u);
      uint before = atomicAdd(&bins[bin], 1u);
      TRACE_ATOMIC(bins, bin, before, 1u);
    }
  }
  __syncthreads();
  TRACE_BARRIER();

  for (uint b = lid; b < BINS; b += size) {
    uint count = bins[b];
    partial[blockIdx.x * BINS + b] = count;
    TRACE_MOVE(partial, blockIdx.x * BINS + b, bins, b, count);
  }
}

// 256 threads: thread b adds up bin b of all blocks.
extern "C" __global__ void merge(const uint *partial, uint *bins, uint groups TRACE_PARAMS)
{
  uint b = blockIdx.x * blockDim.x + threadIdx.x;
  uint sum = 0;
  for (uint g = 0; g < groups; ++g) {
    uint count = partial[g * BINS + b];
    TRACE_TERM(bins, b, partial, g * BINS + b, 1u, count, sum);
    sum += count;
  }
  bins[b] = sum;
  TRACE_STORE(bins, b, sum);
}

// 2. In global memory: all threads count into the same 256 bins, which start at zero.
extern "C" __global__ void histogram_global(const uint *values, uint *bins, uint n, uint trips TRACE_PARAMS)
{
  uint lid = threadIdx.x, size = blockDim.x;
  for (uint i = 0; i < trips; ++i) {
    uint at = blockIdx.x * size * trips + i * size + lid;
    if (at < n) {
      uint value = values[at];
      TRACE_LOAD(values, at, value);
      uint bin = min(value, BINS - 1u);
      uint before = atomicAdd(&bins[bin], 1u);
      TRACE_ATOMIC(bins, bin, before, 1u);
    }
  }
}

// 3. Private: COPIES sets of bins a block, taken in turn by neighbouring threads, so that fewer meet at a bin.
extern "C" __global__ void histogram_private(const uint *values, uint *partial, uint n, uint trips TRACE_PARAMS)
{
  __shared__ uint bins[COPIES * BINS];
  uint lid = threadIdx.x, size = blockDim.x;

  for (uint b = lid; b < COPIES * BINS; b += size) {
    bins[b] = 0;
    TRACE_STORE(bins, b, 0u);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (uint i = 0; i < trips; ++i) {
    uint at = blockIdx.x * size * trips + i * size + lid;
    if (at < n) {
      uint value = values[at];
      TRACE_LOAD(values, at, value);
      uint bin = lid % COPIES * BINS + min(value, BINS - 1u);
      uint before = atomicAdd(&bins[bin], 1u);
      TRACE_ATOMIC(bins, bin, before, 1u);
    }
  }
  __syncthreads();
  TRACE_BARRIER();

  for (uint b = lid; b < BINS; b += size) {
    uint sum = 0;
    for (uint copy = 0; copy < COPIES; ++copy) {
      uint count = bins[copy * BINS + b];
      TRACE_TERM(partial, blockIdx.x * BINS + b, bins, copy * BINS + b, 1u, count, sum);
      sum += count;
    }
    partial[blockIdx.x * BINS + b] = sum;
    TRACE_STORE(partial, blockIdx.x * BINS + b, sum);
  }
}
