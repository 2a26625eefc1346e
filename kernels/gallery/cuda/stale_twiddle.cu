// Gallery: a stale twiddle. The factor is computed from the stride, where the span belongs: w_{L/2}^j is what the stage before
// needed. One word, and the first stage does not show it, because its only twiddle is 1.

#include "trace_device.h"
#include "../../cuda/complex.h"

// N/2 threads: the stage of this span.
extern "C" __global__ void fft_stage(real2 *F, int span TRACE_PARAMS)
{
  int g = global_id();
  int stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j, i1 = i0 + stride;
#ifdef RIGHT
  real2 w = twiddle(j, span, -1);
#else
  real2 w = twiddle(j, stride, -1);
#endif
  real2 a = F[i0], b = F[i1];
  real2 t = w * b;
  F[i0] = a + t;
  F[i1] = a - t;
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
