// FFT of any product of small factors: a pass for each factor, between two arrays (Stockham's order, nothing is permuted).
//
// A pass of factor r merges r transforms of span/r points each. A work-item makes one output: r terms, each a point times its
// twiddle, as the definition has it for r points.

#include "trace_device.h"
#include "complex.h"

// n items: output o is bin o div R of the transform of every R-th point, R = n / span.
kernel void mixed_pass(global const real2 *x, global real2 *y, int n, int radix, int span, int sign TRACE_PARAMS)
{
  int o = get_global_id(0), R = n / span;
  int k = o % R, bin = o / R, j = bin % (span / radix);
  real2 sum = 0;
  for (int q = 0; q < radix; ++q) {
    int i = (j * radix + q) * R + k;
    real2 w = twiddle((int)((long)q * bin % span), span, sign);
    real2 v = x[i];
    TRACE_TERM(y, o, x, i, w, v, sum);
    sum += multiply(w, v);
  }
  y[o] = sum;
  TRACE_STORE(y, o, sum);
}
