// Filtering through the transform: what a filter does to a signal is a product of their spectra, bin by bin.
//
//   x, h ── pad ──► X, H ── fft_dif ──► spectra in bit-reversed order ── multiply_bins ── fft_stage, backwards ──► X ── finish ──► y
//
// Decimation in frequency takes points in order and leaves bins reversed; decimation in time takes them reversed and leaves
// points in order. A product of bins does not care about their order, so that nothing is ever permuted.

#include "trace_device.h"
#include "complex.h"

// N threads: the first `count` points of x, and zeros after them.
extern "C" __global__ void pad(const real2 *__restrict__ x, real2 *__restrict__ X, int count TRACE_PARAMS)
{
  int g = global_id();
  if (g < count) {
    real2 v = x[g];
    X[g] = v;
    TRACE_MOVE(X, g, x, g, v);
  } else {
    X[g] = real2{0, 0};
    TRACE_STORE(X, g, X[g]);
  }
}

// N threads: X ← X·H, wherever a bin is: in both it is in the same place.
extern "C" __global__ void multiply_bins(real2 *X, const real2 *__restrict__ H TRACE_PARAMS)
{
  int k = global_id();
  real2 v = X[k], h = H[k];
  X[k] = h * v;
  TRACE_SCALE(X, k, v, h);
}

// As many threads as there are results: 1/N of each, as after any inverse.
extern "C" __global__ void finish(const real2 *__restrict__ X, real2 *__restrict__ y, real factor TRACE_PARAMS)
{
  int g = global_id();
  real2 v = X[g];
  y[g] = v * factor;
  TRACE_SCALE_TO(y, g, X, g, v, factor);
}
