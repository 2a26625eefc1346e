// Gallery: the twiddle of the other decimation. In frequency the difference is multiplied, w·(a − b); here b is, a − w·b, as
// decimation in time has it.

#include "../../cuda/complex.h"

// N/2 threads: the stage that takes blocks of this span apart.
extern "C" __global__ void dif_stage(real2 *x, int span)
{
  int g = blockIdx.x * blockDim.x + threadIdx.x, half_span = span / 2;
  int j = g % half_span, i0 = g / half_span * span + j, i1 = i0 + half_span;
  real2 w = twiddle(j, span, -1);
  real2 a = x[i0], b = x[i1];
#ifdef RIGHT
  x[i0] = a + b;
  x[i1] = w * (a - b);
#else
  real2 t = w * b;
  x[i0] = a + t;
  x[i1] = a - t;
#endif
}

// N threads: decimation in frequency leaves bin k where the bits of k are reversed.
extern "C" __global__ void reorder(const real2 *x, real2 *X, int bits)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
  for (int bit = 0; bit < bits; bit++)
    r |= (k >> bit & 1) << (bits - 1 - bit);
  X[k] = x[r];
}
