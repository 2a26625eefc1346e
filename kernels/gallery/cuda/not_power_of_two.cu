// Gallery: a size that is no power of two. The host floors log2 N: 12 points get 3 stages, and 6 items for each. In the stage of
// span 8 items 4 and 5 are in a second block that the array has only half of, and reach for the points 12 and 13.
// The kernel itself is right; what it needs is a padded array.

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
  F[i1] = a - t;
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
