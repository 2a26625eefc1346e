// Histograms of 256 bins, three ways to keep items from waiting for each other at the same bin.
//
// Each item counts `trips` values; neighbours read neighbours: trip i of item lid reads group·items·trips + i·items + lid.
// A value beyond the last bin counts there.

#include "trace_device.h"

#define BINS 256

// 1. In local memory: each group counts into 256 bins of its own and leaves them in its row of `partial`.
kernel void histogram_local(global const uint *values, global uint *partial, uint n, uint trips TRACE_PARAMS)
{
  local uint bins[BINS];
  uint lid = get_local_id(0), size = get_local_size(0);

  for (uint b = lid; b < BINS; b += size) {
    bins[b] = 0;
    TRACE_STORE(bins, b, 0u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (uint i = 0; i < trips; ++i) {
    uint at = get_group_id(0) * size * trips + i * size + lid;
    if (at < n) {
      uint value = values[at];
      TRACE_LOAD(values, at, value);
      uint bin = min(value, BINS - 1u);
      uint before = atomic_inc(&bins[bin]);
      TRACE_ATOMIC(bins, bin, before, 1u);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (uint b = lid; b < BINS; b += size) {
    uint count = bins[b];
    partial[get_group_id(0) * BINS + b] = count;
    TRACE_MOVE(partial, get_group_id(0) * BINS + b, bins, b, count);
  }
}

// 256 items: item b adds up bin b of all groups.
kernel void merge(global const uint *partial, global uint *bins, uint groups TRACE_PARAMS)
{
  uint b = get_global_id(0);
  uint sum = 0;
  for (uint g = 0; g < groups; ++g) {
    uint count = partial[g * BINS + b];
    TRACE_TERM(bins, b, partial, g * BINS + b, 1u, count, sum);
    sum += count;
  }
  bins[b] = sum;
  TRACE_STORE(bins, b, sum);
}

// 2. In global memory: all items count into the same 256 bins, which start at zero.
kernel void histogram_global(global const uint *values, global uint *bins, uint n, uint trips TRACE_PARAMS)
{
  uint lid = get_local_id(0), size = get_local_size(0);
  for (uint i = 0; i < trips; ++i) {
    uint at = get_group_id(0) * size * trips + i * size + lid;
    if (at < n) {
      uint value = values[at];
      TRACE_LOAD(values, at, value);
      uint bin = min(value, BINS - 1u);
      uint before = atomic_inc(&bins[bin]);
      TRACE_ATOMIC(bins, bin, before, 1u);
    }
  }
}

// 3. Private: COPIES sets of bins a group, taken in turn by neighbouring items, so that fewer meet at a bin.
kernel void histogram_private(global const uint *values, global uint *partial, uint n, uint trips TRACE_PARAMS)
{
  local uint bins[COPIES * BINS];
  uint lid = get_local_id(0), size = get_local_size(0);

  for (uint b = lid; b < COPIES * BINS; b += size) {
    bins[b] = 0;
    TRACE_STORE(bins, b, 0u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (uint i = 0; i < trips; ++i) {
    uint at = get_group_id(0) * size * trips + i * size + lid;
    if (at < n) {
      uint value = values[at];
      TRACE_LOAD(values, at, value);
      uint bin = lid % COPIES * BINS + min(value, BINS - 1u);
      uint before = atomic_inc(&bins[bin]);
      TRACE_ATOMIC(bins, bin, before, 1u);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (uint b = lid; b < BINS; b += size) {
    uint sum = 0;
    for (uint copy = 0; copy < COPIES; ++copy) {
      uint count = bins[copy * BINS + b];
      TRACE_TERM(partial, get_group_id(0) * BINS + b, bins, copy * BINS + b, 1u, count, sum);
      sum += count;
    }
    partial[get_group_id(0) * BINS + b] = sum;
    TRACE_STORE(partial, get_group_id(0) * BINS + b, sum);
  }
}
