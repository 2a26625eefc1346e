// Gallery: no reversal. Decimation in time splits even points from odd ones, and each half again: its first stage takes the
// points in bit-reversed order. This launch should put them so, and only copies them.
#include "trace_device.h"
#include "../../cuda/complex.h"
#include "../../cuda/reversal.h"

// n = 2^bits threads.
extern "C" __global__ void reorder(const real2 *data, real2 *F, int bits TRACE_PARAMS)
{
  int g = global_id();
#ifdef RIGHT
  int r = reverse_bits(g, bits);
#else
  int r = g;
#endif
  real2 v = data[r];
  F[g] = v;
  TRACE_MOVE(F, g, data, r, v);
}
