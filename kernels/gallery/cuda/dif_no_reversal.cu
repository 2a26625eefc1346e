// Gallery: the reversal at the end left out. Decimation in frequency takes the points as they are and leaves the bins in
// bit-reversed order: bin 1 of 8 is in place 4. A reader who knows decimation in time looks for the mistake at the beginning.

#include "../../cuda/complex.h"

// N/2 threads: the stage that takes blocks of this span apart.
extern "C" __global__ void dif_stage(real2 *x, int span)
{
  int g = blockIdx.x * blockDim.x + threadIdx.x, half_span = span / 2;
  int j = g % half_span, i0 = g / half_span * span + j, i1 = i0 + half_span;
  real2 w = twiddle(j, span, -1);
  real2 a = x[i0], b = x[i1];
  x[i0] = a + b;
  x[i1] = w * (a - b);
}

// N threads: decimation in frequency leaves bin k where the bits of k are reversed.
extern "C" __global__ void reorder(const real2 *x, real2 *X, int bits)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
  for (int bit = 0; bit < bits; bit++)
    r |= (k >> bit & 1) << (bits - 1 - bit);
#ifdef RIGHT
  X[k] = x[r];
#else
  X[k] = x[k];
#endif
}
