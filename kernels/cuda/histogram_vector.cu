// Histograms of 256 bins at the speed of memory. A value beyond the last bin counts there.
//
//   -DVALUE=uint or uchar   -DGROUP=threads of a block   -DUNROLL=loads in flight   -DCOPIES=sets of bins a block, a power of two

#include "trace_device.h"

typedef unsigned int uint;
typedef unsigned char uchar;

#define BINS 256
#define WIDTH (16 / (uint)sizeof(VALUE))  // values of a load

// 4. and 5. Vectors: 16 bytes a load, which are four values of uint and sixteen of uchar, UNROLL loads before the first is counted,
// in COPIES sets of bins a block. The sets are interleaved: with 32 of them each lane of a warp has a bank of its own, and lanes
// never meet with any values.
//
// A multiprocessor should hold as many threads as it can: what counts at this speed are registers, and one block's ends that
// another's counting fills.
extern "C" __global__ __launch_bounds__(GROUP, GROUP < 64 ? 32 : 2048 / GROUP)
void histogram_vector(const uint4 *__restrict__ values, uint *bins, uint n TRACE_PARAMS)
{
  __shared__ uint mine[COPIES * BINS];
  uint lid = threadIdx.x, copy = lid % COPIES, vectors = n / WIDTH;
  for (uint b = lid; b < COPIES * BINS; b += GROUP) {
    mine[b] = 0;
    TRACE_STORE(mine, b, 0u);
  }
  __syncthreads();
  TRACE_BARRIER();

  uint first = blockIdx.x * GROUP * UNROLL + lid;
#pragma unroll
  for (uint last = 0; last < 2; ++last) {  // UNROLL loads at a time, and at last one by one
    const uint loads = last ? 1 : UNROLL;
    for (; first + (loads - 1) * GROUP < vectors; first += last ? GROUP : gridDim.x * GROUP * UNROLL) {
      uint4 a[UNROLL];
#pragma unroll
      for (uint u = 0; u < loads; ++u) a[u] = values[first + u * GROUP];
#pragma unroll
      for (uint u = 0; u < loads; ++u) {
        uint word[4] = {a[u].x, a[u].y, a[u].z, a[u].w};
#pragma unroll
        for (uint k = 0; k < WIDTH; ++k) {
          uint value = word[4 * k / WIDTH] >> 8 * sizeof(VALUE) * k % 32 & (VALUE)-1;
          TRACE_LOAD(values, (first + u * GROUP) * WIDTH + k, value);
          uint bin = min(value, BINS - 1u) * COPIES + copy;
          uint before = atomicAdd(&mine[bin], 1u);
          TRACE_ATOMIC(mine, bin, before, 1u);
        }
      }
    }
  }
  if (blockIdx.x == 0)
    for (uint rest = vectors * WIDTH + lid; rest < n; rest += GROUP) {  // what is no whole vector
      uint value = ((const VALUE *)values)[rest];
      TRACE_LOAD(values, rest, value);
      uint bin = min(value, BINS - 1u) * COPIES + copy;
      uint before = atomicAdd(&mine[bin], 1u);
      TRACE_ATOMIC(mine, bin, before, 1u);
    }
  __syncthreads();
  TRACE_BARRIER();

  // Neighbours begin at neighbouring copies: else all copies of a bin would be in the bank that another bin's are in.
  for (uint b = lid; b < BINS; b += GROUP) {
    uint sum = 0;
#pragma unroll 4
    for (uint c = 0; c < COPIES; ++c) {
      uint from = b * COPIES + (c + b) % COPIES, count = mine[from];
      TRACE_TERM(bins, b, mine, from, 1u, count, sum);
      sum += count;
    }
    uint before = atomicAdd(&bins[b], sum);
    TRACE_ATOMIC(bins, b, before, sum);
  }
}
