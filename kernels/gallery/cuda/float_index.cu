// Gallery: an index that went through float. 24 bits hold every index of a small transform; from 2^25 points on i0 + stride is
// rounded to an even number, and every second thread takes the wrong partner.
#include "trace_device.h"
#include "../../cuda/complex.h"

// Some threads of the stage of this span, from `first` on.
extern "C" __global__ void fft_stage(real2 *F, int span, int first TRACE_PARAMS)
{
  int g = first + global_id();
  int stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j;
#ifdef RIGHT
  int i1 = i0 + stride;
#else
  int i1 = (int)((float)i0 + (float)stride);
#endif
  real2 w = twiddle(j, span, -1);
  real2 a = F[i0], b = F[i1];
  real2 t = w * b;
  F[i0] = a + t;
  F[i1] = a - t;
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
