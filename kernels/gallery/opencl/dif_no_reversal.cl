// Gallery: the reversal at the end left out. Decimation in frequency takes the points as they are and leaves the bins in
// bit-reversed order: bin 1 of 8 is in place 4. A reader who knows decimation in time looks for the mistake at the beginning.

#include "../../opencl/complex.h"

// N/2 items: the stage that takes blocks of this span apart.
kernel void dif_stage(global real2 *x, int span)
{
  int g = get_global_id(0), half_span = span / 2;
  int j = g % half_span, i0 = g / half_span * span + j, i1 = i0 + half_span;
  real2 w = twiddle(j, span, -1);
  real2 a = x[i0], b = x[i1];
  x[i0] = a + b;
  x[i1] = multiply(w, a - b);
}

// N items: decimation in frequency leaves bin k where the bits of k are reversed.
kernel void reorder(global const real2 *x, global real2 *X, int bits)
{
  int k = get_global_id(0), r = 0;
  for (int bit = 0; bit < bits; bit++)
    r |= (k >> bit & 1) << (bits - 1 - bit);
#ifdef RIGHT
  X[k] = x[r];
#else
  X[k] = x[k];
#endif
}
