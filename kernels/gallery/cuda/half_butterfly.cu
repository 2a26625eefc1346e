// Gallery: half a butterfly. Both points are read, only one is written: a + w·b takes its place, a - w·b is forgotten.

#include "trace_device.h"
#include "../../cuda/complex.h"

// N/2 threads: the stage of this span.
extern "C" __global__ void fft_stage(real2 *F, int span TRACE_PARAMS)
{
  int g = global_id();
  int stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j, i1 = i0 + stride;
  real2 w = twiddle(j, span, -1);
  real2 a = F[i0], b = F[i1];
  real2 t = w * b;
  F[i0] = a + t;
#ifdef RIGHT
  F[i1] = a - t;
#endif
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
