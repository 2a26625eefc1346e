// FFT of any number of points as a convolution (Bluestein): jk = (j² + k² − (k − j)²) / 2, so that with the chirp
// c[j] = e^(∓πi·j²/n)
//
//   X[k] = c[k] · Σ (x[j]·c[j]) · conj c[k − j]
//
// The sum is a circular convolution of m ≥ 2n − 1 points, m a power of two, which convolve.cl's way makes through transforms.

#include "trace_device.h"
#include "complex.h"

// c[j] = w_2n^(j²), with j² reduced in whole numbers before it becomes an angle.
real2 chirp(int j, int n, int sign)
{
  return twiddle((int)((ulong)j * (ulong)j % (ulong)(2 * n)), 2 * n, sign);
}

// m items: a[j] = x[j]·c[j], and zeros after them.
kernel void chirp_points(global const real2 *x, global real2 *a, int n, int sign TRACE_PARAMS)
{
  int g = get_global_id(0);
  if (g < n) {
    real2 v = x[g], c = chirp(g, n, sign);
    a[g] = multiply(c, v);
    TRACE_SCALE_TO(a, g, x, g, v, c);
  } else {
    a[g] = 0;
    TRACE_STORE(a, g, a[g]);
  }
}

// m items: the filter conj c[j] for j = −(n − 1) … n − 1, the negative ones counted from the end.
kernel void chirp_filter(global real2 *b, int n, int m, int sign TRACE_PARAMS)
{
  int g = get_global_id(0), j = min(g, m - g);
  real2 c = j < n ? chirp(j, n, -sign) : (real2)(0, 0);
  b[g] = c;
  TRACE_STORE(b, g, c);
}

// n items: X[k] = c[k]·a[k]·factor, where a is the convolution and the factor its 1/m (and of an inverse 1/n as well).
kernel void chirp_bins(global const real2 *a, global real2 *X, int n, int sign, real factor TRACE_PARAMS)
{
  int k = get_global_id(0);
  real2 v = a[k], c = chirp(k, n, sign) * factor;
  X[k] = multiply(c, v);
  TRACE_SCALE_TO(X, k, a, k, v, c);
}
