// Transforms of real points by half as many complex ones: y[j] = x[2j] + i·x[2j+1], a transform Y of n/2 points, and then
//
//   G = (Y(k) + conj Y(n/2 − k)) / 2      the transform of the even points
//   H = (Y(k) − conj Y(n/2 − k)) / 2i     the transform of the odd points
//   X(k) = G + w_n^k·H,  X(k + n/2) = G − w_n^k·H
//
// In two dimensions the same, packed along the rows, with the conjugate taken from row −m as well.

#include "trace_device.h"
#include "complex.h"

// A pair of points a thread.
extern "C" __global__ void pack(const real *__restrict__ x, real2 *__restrict__ y TRACE_PARAMS)
{
  int g = global_id();
  real even = x[2 * g], odd = x[2 * g + 1];
  y[g] = {even, odd};
  TRACE_LOAD(x, 2 * g, even);
  TRACE_LOAD(x, 2 * g + 1, odd);
  TRACE_STORE(y, g, y[g]);
}

// rows·n/2 threads: thread (m, k) makes X(m, k) and X(m, k + n/2) from Y(m, k) and Y(−m, −k). One row in one dimension.
extern "C" __global__ void split(const real2 *__restrict__ Y, real2 *__restrict__ X, int rows, int n, int sign TRACE_PARAMS)
{
  int half_n = n / 2;
  int m = global_id() / half_n, k = global_id() % half_n;
  int i0 = m * half_n + k, i1 = (rows - m) % rows * half_n + (half_n - k) % half_n;
  int o0 = m * n + k, o1 = o0 + half_n;

  real2 a = Y[i0], b = Y[i1];
  real2 G = {(a.x + b.x) / 2, (a.y - b.y) / 2};
  real2 H = {(a.y + b.y) / 2, (b.x - a.x) / 2};
  real2 w = twiddle(k, n, sign);
  real2 t = w * H;
  X[o0] = G + t;
  X[o1] = G - t;
  TRACE_PACK(X, o0, o1, Y, i0, i1, w, a, b);
}
