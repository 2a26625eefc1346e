// FFT of any number of points as a convolution (Bluestein): jk = (j² + k² − (k − j)²) / 2, so that with the chirp
// c[j] = e^(∓πi·j²/n)
//
//   X[k] = c[k] · Σ (x[j]·c[j]) · conj c[k − j]
//
// The sum is a circular convolution of m ≥ 2n − 1 points, m a power of two, which convolve.cu's way makes through transforms.

#include "trace_device.h"
#include "complex.h"

// c[j] = w_2n^(j²), with j² reduced in whole numbers before it becomes an angle.
__device__ inline real2 chirp(int j, int n, int sign)
{
  unsigned long long square = static_cast<unsigned long long>(j) * static_cast<unsigned long long>(j);
  return twiddle(static_cast<int>(square % static_cast<unsigned long long>(2 * n)), 2 * n, sign);
}

// m threads: a[j] = x[j]·c[j], and zeros after them.
extern "C" __global__ void chirp_points(const real2 *__restrict__ x, real2 *__restrict__ a, int n, int sign TRACE_PARAMS)
{
  int g = global_id();
  if (g < n) {
    real2 v = x[g], c = chirp(g, n, sign);
    a[g] = c * v;
    TRACE_SCALE_TO(a, g, x, g, v, c);
  } else {
    a[g] = real2{0, 0};
    TRACE_STORE(a, g, a[g]);
  }
}

// m threads: the filter conj c[j] for j = −(n − 1) … n − 1, the negative ones counted from the end.
extern "C" __global__ void chirp_filter(real2 *b, int n, int m, int sign TRACE_PARAMS)
{
  int g = global_id(), j = min(g, m - g);
  real2 c = {0, 0};
  if (j < n) c = chirp(j, n, -sign);
  b[g] = c;
  TRACE_STORE(b, g, c);
}

// n threads: X[k] = c[k]·a[k]·factor, where a is the convolution and the factor its 1/m (and of an inverse 1/n as well).
extern "C" __global__ void chirp_bins(const real2 *__restrict__ a, real2 *__restrict__ X, int n, int sign,
                                      real factor TRACE_PARAMS)
{
  int k = global_id();
  real2 v = a[k], c = chirp(k, n, sign) * factor;
  X[k] = c * v;
  TRACE_SCALE_TO(X, k, a, k, v, c);
}
