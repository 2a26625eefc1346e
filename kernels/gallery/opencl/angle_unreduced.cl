// Gallery: an angle that was not reduced. e^(-2πi·i0/L) is the same as e^(-2πi·j/L), because whole turns do not matter; but a
// float has 24 bits for turns and angle together, so that the later blocks of a large transform get coarse angles.

#include "trace_device.h"
#include "../../opencl/complex.h"

#define PI 3.14159265f

// N/2 items: the stage of this span.
kernel void fft_stage(global real2 *F, int span TRACE_PARAMS)
{
  int g = get_global_id(0);
  int stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j, i1 = i0 + stride;
#ifdef RIGHT
  float angle = -2 * PI * j / span;
#else
  float angle = -2 * PI * i0 / span;
#endif
  real2 w = (real2)(cos(angle), sin(angle));
  real2 a = F[i0], b = F[i1];
  real2 t = multiply(w, b);
  F[i0] = a + t;
  F[i1] = a - t;
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
