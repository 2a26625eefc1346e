// Radix-2 FFT by decimation in frequency, in place, two launches a stage (Gentleman and Sande).
//
//   x ── dif_stage, span N ── dif_turn ── … ── span 4 ── dif_turn ── span 2 ──► the spectrum, bin k where the bits of k are reversed
//
// A stage takes each block of span L apart: a, b L/2 apart ← a + b, w·(a − b), with w = e^(∓2πi·j/L) for the j-th pair of its
// block. The sums hold the even bins of the block's transform and the turned differences the odd ones, so that points come in
// their own order and bins leave in bit-reversed order. N/2 threads do a stage, one pair each. Turning is a launch of its own,
// so that it can be looked at by itself; in the last stage every w is 1.

#include "trace_device.h"
#include "complex.h"

// N/2 threads: sums and differences of the blocks of this span.
extern "C" __global__ void dif_stage(real2 *x, int span TRACE_PARAMS)
{
  int g = global_id(), stride = span / 2;
  int j = g % stride, i0 = g / stride * span + j, i1 = i0 + stride;
  real2 a = x[i0], b = x[i1];
  x[i0] = a + b;
  x[i1] = a - b;
  TRACE_BUTTERFLY(x, i0, i1, (real2{1, 0}), a, b);
}

// N/2 threads: the differences times their twiddles; sign −1 is the forward transform.
extern "C" __global__ void dif_turn(real2 *x, int span, int sign TRACE_PARAMS)
{
  int g = global_id(), stride = span / 2;
  int j = g % stride, i = g / stride * span + j + stride;
  real2 w = twiddle(j, span, sign);
  real2 v = x[i];
  x[i] = w * v;
  TRACE_SCALE(x, i, v, w);
}
