// Gallery: an index that went through float. 24 bits hold every index of a small transform; from 2^25 points on i0 + stride is
// rounded to an even number, and every second work-item takes the wrong partner.
#include "trace_device.h"
#include "../../opencl/complex.h"

// Some items of the stage of this span, from `first` on.
kernel void fft_stage(global real2 *F, int span, int first TRACE_PARAMS)
{
  int g = first + get_global_id(0);
  int stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j;
#ifdef RIGHT
  int i1 = i0 + stride;
#else
  int i1 = (int)((float)i0 + (float)stride);
#endif
  real2 w = twiddle(j, span, -1);
  real2 a = F[i0], b = F[i1];
  real2 t = multiply(w, b);
  F[i0] = a + t;
  F[i1] = a - t;
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
