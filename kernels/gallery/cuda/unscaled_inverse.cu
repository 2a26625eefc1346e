// Gallery: an inverse without its 1/N. Forward and back should give the points again; without the factor they come out N times
// as large, and after ten steps of a simulation they overflow.
#include "trace_device.h"
#include "../../cuda/complex.h"

// n threads: hands the points out.
extern "C" __global__ void finish(const real2 *F, real2 *x, real factor TRACE_PARAMS)
{
  int g = global_id();
  real2 v = F[g];
#ifdef RIGHT
  x[g] = v * factor;
  TRACE_SCALE_TO(x, g, F, g, v, factor);
#else
  x[g] = v;
  TRACE_MOVE(x, g, F, g, v);
#endif
}
