// Gallery: no reversal. Decimation in time splits even points from odd ones, and each half again: its first stage takes the
// points in bit-reversed order. This launch should put them so, and only copies them.
#include "trace_device.h"
#include "../../opencl/complex.h"
#include "../../opencl/reversal.h"

// n = 2^bits items.
kernel void reorder(global const real2 *data, global real2 *F, int bits TRACE_PARAMS)
{
  int g = get_global_id(0);
#ifdef RIGHT
  int r = reverse_bits(g, bits);
#else
  int r = g;
#endif
  real2 v = data[r];
  F[g] = v;
  TRACE_MOVE(F, g, data, r, v);
}
