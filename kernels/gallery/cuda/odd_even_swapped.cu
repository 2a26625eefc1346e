// Gallery: odd and even the wrong way round. Two real points make one complex point, x[2j] + i·x[2j+1]. Packed as
// x[2j+1] + i·x[2j], as one may read it in print, every bin of the split spectrum is wrong by as much as it is large.
#include "trace_device.h"
#include "../../cuda/complex.h"

// n/2 threads: a pair of points each.
extern "C" __global__ void pack(const real *x, real2 *y TRACE_PARAMS)
{
  int g = global_id();
  real even = x[2 * g], odd = x[2 * g + 1];
#ifdef RIGHT
  real2 v = {even, odd};
#else
  real2 v = {odd, even};
#endif
  y[g] = v;
  TRACE_LOAD(x, 2 * g, even);
  TRACE_LOAD(x, 2 * g + 1, odd);
  TRACE_STORE(y, g, v);
}
