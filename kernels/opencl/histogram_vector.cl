// Histograms of 256 bins at the speed of memory. A value beyond the last bin counts there.
//
//   -DVALUE=uint or uchar   -DGROUP=items of a group   -DUNROLL=loads in flight   -DCOPIES=sets of bins a group, a power of two

#include "trace_device.h"

#define BINS 256
#define WIDTH (16 / (uint)sizeof(VALUE))  // values of a load

// 4. and 5. Vectors: 16 bytes a load, which are four values of uint and sixteen of uchar, UNROLL loads before the first is counted,
// in COPIES sets of bins a group. The sets are interleaved: with 32 of them each lane of a sub-group has a bank of its own, and lanes
// never meet with any values.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram_vector(global const uint4 *restrict values, global uint *bins, uint n TRACE_PARAMS)
{
  local uint mine[COPIES * BINS];
  uint lid = get_local_id(0), copy = lid % COPIES, vectors = n / WIDTH;
  for (uint b = lid; b < COPIES * BINS; b += GROUP) {
    mine[b] = 0;
    TRACE_STORE(mine, b, 0u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  uint first = get_group_id(0) * GROUP * UNROLL + lid;
#pragma unroll
  for (uint last = 0; last < 2; ++last) {  // UNROLL loads at a time, and at last one by one
    const uint loads = last ? 1 : UNROLL;
    for (; first + (loads - 1) * GROUP < vectors; first += last ? GROUP : get_num_groups(0) * GROUP * UNROLL) {
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
          uint before = atomic_add(&mine[bin], 1u);
          TRACE_ATOMIC(mine, bin, before, 1u);
        }
      }
    }
  }
  if (get_group_id(0) == 0)
    for (uint rest = vectors * WIDTH + lid; rest < n; rest += GROUP) {  // what is no whole vector
      uint value = ((global const VALUE *)values)[rest];
      TRACE_LOAD(values, rest, value);
      uint bin = min(value, BINS - 1u) * COPIES + copy;
      uint before = atomic_add(&mine[bin], 1u);
      TRACE_ATOMIC(mine, bin, before, 1u);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
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
    uint before = atomic_add(&bins[b], sum);
    TRACE_ATOMIC(bins, b, before, sum);
  }
}
