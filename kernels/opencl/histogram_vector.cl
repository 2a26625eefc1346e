// Histograms of 256 bins at the speed of memory. A value beyond the last bin counts there.
//
//   -DGROUP=items of a group   -DUNROLL=loads in flight   -DCOPIES=sets of bins a group, a power of two

#include "trace_device.h"

#define BINS 256

// 4. and 5. Vectors: four values a load, UNROLL loads before the first is counted, in COPIES sets of bins a group. The sets are
// interleaved: with 32 of them each lane of a sub-group has a bank of its own, and lanes never meet, whatever the values are.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram_vector(global const uint4 *restrict values, global uint *bins, uint n TRACE_PARAMS)
{
  local uint mine[COPIES * BINS];
  uint lid = get_local_id(0), copy = lid % COPIES, step = get_num_groups(0) * GROUP * UNROLL;
  for (uint b = lid; b < COPIES * BINS; b += GROUP) {
    mine[b] = 0;
    TRACE_STORE(mine, b, 0u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (uint first = get_group_id(0) * GROUP * UNROLL + lid; first < n / 4; first += step) {
    uint4 a[UNROLL];
#pragma unroll
    for (uint u = 0; u < UNROLL; ++u) {
      uint i = first + u * GROUP;
      if (i < n / 4) a[u] = values[i];
    }
#pragma unroll
    for (uint u = 0; u < UNROLL; ++u) {
      uint i = first + u * GROUP;
      if (i < n / 4) {
        uint value[4] = {a[u].x, a[u].y, a[u].z, a[u].w};
#pragma unroll
        for (uint k = 0; k < 4; ++k) {
          TRACE_LOAD(values, 4 * i + k, value[k]);
          uint bin = min(value[k], BINS - 1u) * COPIES + copy;
          uint before = atomic_add(&mine[bin], 1u);
          TRACE_ATOMIC(mine, bin, before, 1u);
        }
      }
    }
  }
  uint rest = n / 4 * 4 + lid;  // what is no whole vector
  if (get_group_id(0) == 0 && rest < n) {
    uint value = ((global const uint *)values)[rest];
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
    for (uint c = 0; c < COPIES; ++c) {
      uint from = b * COPIES + (c + b) % COPIES, count = mine[from];
      TRACE_TERM(bins, b, mine, from, 1u, count, sum);
      sum += count;
    }
    uint before = atomic_add(&bins[b], sum);
    TRACE_ATOMIC(bins, b, before, sum);
  }
}
