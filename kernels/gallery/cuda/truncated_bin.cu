// Gallery: a truncated bin. The value passes through a type of 8 bits on its way to its bin: 256 counts as 0, 257 as 1.
#include "trace_device.h"

// n threads: one value each, counted in global memory in the bin of its number.
extern "C" __global__ void count(const unsigned *values, unsigned *bins TRACE_PARAMS)
{
  unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = values[g];
  TRACE_LOAD(values, g, value);
#ifdef RIGHT
  unsigned bin = value;
#else
  unsigned char bin = value;
#endif
  unsigned before = atomicAdd(&bins[bin], 1u);
  TRACE_ATOMIC(bins, bin, before, 1u);
}
