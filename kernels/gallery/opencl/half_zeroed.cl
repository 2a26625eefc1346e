// Gallery: half of the bins zeroed. Each of 128 items zeroes one bin, and there are 256: the upper half starts with what the
// group before left in local memory.
#include "trace_device.h"

#define BINS 256

// Each group counts into 256 bins of its own and leaves them in its row of `partial`.
kernel void histogram_local(global const uint *values, global uint *partial, uint n, uint trips TRACE_PARAMS)
{
  local uint bins[BINS];
  uint lid = get_local_id(0), size = get_local_size(0);

#ifdef RIGHT
  for (uint b = lid; b < BINS; b += size) {
    bins[b] = 0;
    TRACE_STORE(bins, b, 0u);
  }
#else
  bins[lid] = 0;
  TRACE_STORE(bins, lid, 0u);
#endif
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
