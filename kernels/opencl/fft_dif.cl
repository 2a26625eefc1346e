// Radix-2 FFT by decimation in frequency, in place, one launch a stage (Gentleman and Sande).
//
//   x ── dif_stage, span N ── … ── span 4 ── span 2 ──► the spectrum, bin k where the bits of k are reversed
//
// A stage takes each block of span L apart: a, b L/2 apart ← a + b, w·(a − b), with w = e^(∓2πi·j/L) for the j-th pair of its
// block. The sums hold the even bins of the block's transform and the turned differences the odd ones, so that points come in
// their own order and bins leave in bit-reversed order. N/2 work-items do a stage, one pair each.

#include "trace_device.h"
#include "complex.h"

// N/2 items: the stage that takes blocks of this span apart; sign −1 is the forward transform.
kernel void dif_stage(global real2 *x, int span, int sign TRACE_PARAMS)
{
  int g = get_global_id(0), stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j, i1 = i0 + stride;
  real2 a = x[i0], b = x[i1];
  real2 difference = a - b;
  x[i0] = a + b;
  x[i1] = difference;
  TRACE_BUTTERFLY(x, i0, i1, (real2)(1, 0), a, b);
  if (span > 2) {
    real2 w = twiddle(j, span, sign);
    x[i1] = multiply(w, difference);
    TRACE_SCALE(x, i1, difference, w);
  }
}
