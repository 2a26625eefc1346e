// Filtering through the transform: what a filter does to a signal is a product of their spectra, bin by bin.
//
//   x, h ── pad ──► X, H ── fft_dif ──► spectra in bit-reversed order ── multiply_bins ── fft_stage, backwards ──► X ── finish ──► y
//
// Decimation in frequency takes points in order and leaves bins reversed; decimation in time takes them reversed and leaves
// points in order. A product of bins does not care about their order, so that nothing is ever permuted.

#include "trace_device.h"
#include "complex.h"

// N items: the first `count` points of x, and zeros after them.
kernel void pad(global const real2 *x, global real2 *X, int count TRACE_PARAMS)
{
  int g = get_global_id(0);
  if (g < count) {
    real2 v = x[g];
    X[g] = v;
    TRACE_MOVE(X, g, x, g, v);
  } else {
    X[g] = 0;
    TRACE_STORE(X, g, X[g]);
  }
}

// N items: X ← X·H, wherever a bin is: in both it is in the same place.
kernel void multiply_bins(global real2 *X, global const real2 *H TRACE_PARAMS)
{
  int k = get_global_id(0);
  real2 v = X[k], h = H[k];
  X[k] = multiply(h, v);
  TRACE_SCALE(X, k, v, h);
}

// As many items as there are results: 1/N of each, as after any inverse.
kernel void finish(global const real2 *X, global real2 *y, real factor TRACE_PARAMS)
{
  int g = get_global_id(0);
  real2 v = X[g];
  y[g] = v * factor;
  TRACE_SCALE_TO(y, g, X, g, v, factor);
}
