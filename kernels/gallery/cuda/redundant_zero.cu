// Gallery: all threads zero all bins. Each thread writes 0 to every bin: a race, though all write the same, and a block's size
// times as many stores as it takes.
#include "trace_device.h"

#define BINS 256

// Each block counts into 256 bins of its own and leaves them in its row of `partial`.
extern "C" __global__ void histogram_local(const unsigned *values, unsigned *partial, unsigned n, unsigned trips TRACE_PARAMS)
{
  __shared__ unsigned bins[BINS];
  unsigned lid = threadIdx.x, size = blockDim.x;

#ifdef RIGHT
  for (unsigned b = lid; b < BINS; b += size) {
#else
  for (unsigned b = 0; b < BINS; ++b) {
#endif
    bins[b] = 0;
    TRACE_STORE(bins, b, 0u);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (unsigned i = 0; i < trips; ++i) {
    unsigned at = blockIdx.x * size * trips + i * size + lid;
    if (at < n) {
      unsigned value = values[at];
      TRACE_LOAD(values, at, value);
      unsigned bin = min(value, BINS - 1u);
      unsigned before = atomicAdd(&bins[bin], 1u);
      TRACE_ATOMIC(bins, bin, before, 1u);
    }
  }
  __syncthreads();
  TRACE_BARRIER();

  for (unsigned b = lid; b < BINS; b += size) {
    unsigned count = bins[b];
    partial[blockIdx.x * BINS + b] = count;
    TRACE_MOVE(partial, blockIdx.x * BINS + b, bins, b, count);
  }
}
