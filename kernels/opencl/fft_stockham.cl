// Stockham's autosort FFT, radix 2 and radix 4: no reversal, because every stage writes its results where the next one
// wants them. For that it needs a second array: the stages alternate between x and y.
//
// Before the stage of span L, x[j·R + k] (R = r·radix, r = N/L) holds bin j of the transform of every R-th point from x[k] on;
// after it, y[j·r + k] holds bin j of the transform of every r-th. Item g has j = g div r and k = g mod r: its inputs are
// r apart, and its outputs go to g, g + N/radix, …

#include "trace_device.h"
#include "complex.h"

// N/2 items: merges two transforms of span/2 points.
kernel void stockham2(global const real2 *x, global real2 *y, int n, int span, int sign TRACE_PARAMS)
{
  int g = get_global_id(0);
  int r = n / span;
  int j = g / r, k = g % r;
  int i0 = j * 2 * r + k, i1 = i0 + r;
  int o0 = g, o1 = g + n / 2;

  real2 w = twiddle(j, span, sign);
  real2 a = x[i0], b = x[i1];
  real2 t = multiply(w, b);
  y[o0] = a + t;
  y[o1] = a - t;
  TRACE_BUTTERFLY_TO(y, o0, o1, x, i0, i1, w, a, b);
}

// N/4 items: merges four transforms of span/4 points.
kernel void stockham4(global const real2 *x, global real2 *y, int n, int span, int sign TRACE_PARAMS)
{
  int g = get_global_id(0);
  int r = n / span;
  int j = g / r, k = g % r;
  int i0 = j * 4 * r + k, i1 = i0 + r, i2 = i1 + r, i3 = i2 + r;
  int o0 = g, o1 = o0 + n / 4, o2 = o1 + n / 4, o3 = o2 + n / 4;

  real2 w1 = twiddle(j, span, sign), w2 = twiddle(2 * j, span, sign), w3 = twiddle(3 * j, span, sign);
  real2 a = x[i0], b = x[i1], c = x[i2], d = x[i3];
  real2 beta = multiply(w1, b), gamma = multiply(w2, c), delta = multiply(w3, d);
  real2 t0 = a + gamma, t1 = a - gamma, t2 = beta + delta, t3 = times_i(beta - delta, sign);
  y[o0] = t0 + t2;
  y[o1] = t1 + t3;
  y[o2] = t0 - t2;
  y[o3] = t1 - t3;
  TRACE_BUTTERFLY4_TO(y, o0, o1, o2, o3, x, i0, i1, i2, i3, w1, w2, w3, a, b, c, d);
}
