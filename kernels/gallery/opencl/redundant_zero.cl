// Gallery: all items zero all bins. Each item writes 0 to every bin: a race, though all write the same, and a group's size
// times as many stores as it takes.
#include "trace_device.h"

#define BINS 256

// Each group counts into 256 bins of its own and leaves them in its row of `partial`.
kernel void histogram_local(global const uint *values, global uint *partial, uint n, uint trips TRACE_PARAMS)
{
  local uint bins[BINS];
  uint lid = get_local_id(0), size = get_local_size(0);

#ifdef RIGHT
  for (uint b = lid; b < BINS; b += size) {
#else
  for (uint b = 0; b < BINS; ++b) {
#endif
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
