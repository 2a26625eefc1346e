// Gallery: a truncated bin. The value passes through a type of 8 bits on its way to its bin: 256 counts as 0, 257 as 1.
#include "trace_device.h"

// n items: one value each, counted in global memory in the bin of its number.
kernel void count(global const uint *values, global uint *bins TRACE_PARAMS)
{
  uint g = get_global_id(0);
  uint value = values[g];
  TRACE_LOAD(values, g, value);
#ifdef RIGHT
  uint bin = value;
#else
  uchar bin = value;
#endif
  uint before = atomic_inc(&bins[bin]);
  TRACE_ATOMIC(bins, bin, before, 1u);
}
