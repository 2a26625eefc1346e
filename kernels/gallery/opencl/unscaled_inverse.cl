// Gallery: an inverse without its 1/N. Forward and back should give the points again; without the factor they come out N times
// as large, and after ten steps of a simulation they overflow.
#include "trace_device.h"
#include "../../opencl/complex.h"

// n items: hands the points out.
kernel void finish(global const real2 *F, global real2 *x, real factor TRACE_PARAMS)
{
  int g = get_global_id(0);
  real2 v = F[g];
#ifdef RIGHT
  x[g] = v * factor;
  TRACE_SCALE_TO(x, g, F, g, v, factor);
#else
  x[g] = v;
  TRACE_MOVE(x, g, F, g, v);
#endif
}
