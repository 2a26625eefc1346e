// Transforms of real points by half as many complex ones: y[j] = x[2j] + i·x[2j+1], a transform Y of n/2 points, and then
//
//   G = (Y(k) + conj Y(n/2 − k)) / 2      the transform of the even points
//   H = (Y(k) − conj Y(n/2 − k)) / 2i     the transform of the odd points
//   X(k) = G + w_n^k·H,  X(k + n/2) = G − w_n^k·H
//
// In two dimensions the same, packed along the rows, with the conjugate taken from row −m as well.

#include "trace_device.h"
#include "complex.h"

// A pair of points an item.
kernel void pack(global const real *x, global real2 *y TRACE_PARAMS)
{
  int g = get_global_id(0);
  real even = x[2 * g], odd = x[2 * g + 1];
  y[g] = (real2)(even, odd);
  TRACE_LOAD(x, 2 * g, even);
  TRACE_LOAD(x, 2 * g + 1, odd);
  TRACE_STORE(y, g, y[g]);
}

// rows·n/2 items: item (m, k) makes X(m, k) and X(m, k + n/2) from Y(m, k) and Y(−m, −k). One row in one dimension.
kernel void split(global const real2 *Y, global real2 *X, int rows, int n, int sign TRACE_PARAMS)
{
  int half_n = n / 2;
  int m = get_global_id(0) / half_n, k = get_global_id(0) % half_n;
  int i0 = m * half_n + k, i1 = (rows - m) % rows * half_n + (half_n - k) % half_n;
  int o0 = m * n + k, o1 = o0 + half_n;

  real2 a = Y[i0], b = Y[i1];
  real2 G = (real2)(a.x + b.x, a.y - b.y) / 2;
  real2 H = (real2)(a.y + b.y, b.x - a.x) / 2;
  real2 w = twiddle(k, n, sign);
  real2 t = multiply(w, H);
  X[o0] = G + t;
  X[o1] = G - t;
  TRACE_PACK(X, o0, o1, Y, i0, i1, w, a, b);
}
