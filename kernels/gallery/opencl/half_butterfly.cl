// Gallery: half a butterfly. Both points are read, only one is written: a + w·b takes its place, a - w·b is forgotten.

#include "trace_device.h"
#include "../../opencl/complex.h"

// N/2 items: the stage of this span.
kernel void fft_stage(global real2 *F, int span TRACE_PARAMS)
{
  int g = get_global_id(0);
  int stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j, i1 = i0 + stride;
  real2 w = twiddle(j, span, -1);
  real2 a = F[i0], b = F[i1];
  real2 t = multiply(w, b);
  F[i0] = a + t;
#ifdef RIGHT
  F[i1] = a - t;
#endif
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
