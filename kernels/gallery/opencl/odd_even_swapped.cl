// Gallery: odd and even the wrong way round. Two real points make one complex point, x[2j] + i·x[2j+1]. Packed as
// x[2j+1] + i·x[2j], as one may read it in print, every bin of the split spectrum is wrong by as much as it is large.
#include "trace_device.h"
#include "../../opencl/complex.h"

// n/2 items: a pair of points each.
kernel void pack(global const real *x, global real2 *y TRACE_PARAMS)
{
  int g = get_global_id(0);
  real even = x[2 * g], odd = x[2 * g + 1];
#ifdef RIGHT
  real2 v = (real2)(even, odd);
#else
  real2 v = (real2)(odd, even);
#endif
  y[g] = v;
  TRACE_LOAD(x, 2 * g, even);
  TRACE_LOAD(x, 2 * g + 1, odd);
  TRACE_STORE(y, g, v);
}
