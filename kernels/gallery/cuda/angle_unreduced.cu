// Gallery: an angle that was not reduced. e^(-2πi·i0/L) is the same as e^(-2πi·j/L), because whole turns do not matter; but a
// float has 24 bits for turns and angle together, so that the later blocks of a large transform get coarse angles.

#include "trace_device.h"
#include "../../cuda/complex.h"

#define PI 3.14159265f

// N/2 threads: the stage of this span.
extern "C" __global__ void fft_stage(real2 *F, int span TRACE_PARAMS)
{
  int g = global_id();
  int stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j, i1 = i0 + stride;
#ifdef RIGHT
  float angle = -2 * PI * j / span;
#else
  float angle = -2 * PI * i0 / span;
#endif
  real2 w = {cosf(angle), sinf(angle)};
  real2 a = F[i0], b = F[i1];
  real2 t = w * b;
  F[i0] = a + t;
  F[i1] = a - t;
  TRACE_BUTTERFLY(F, i0, i1, w, a, b);
}
