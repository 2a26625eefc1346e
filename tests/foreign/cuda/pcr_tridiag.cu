#include <cuda_runtime.h>

// Tridiagonal systems, one a block, by parallel cyclic reduction in separate shared arrays.
template <int MAX>
__device__ void reduce(float *a, float *b, float *c, float *d, const int n)
{
  const int t = threadIdx.x;
  for (int stride = 1; stride < n; stride <<= 1)
  {
    const int lo = t - stride, hi = t + stride;
    float na = 0, nc = 0, nb = b[t], nd = d[t];
    if (lo >= 0)
    {
      const float k = a[t] / b[lo];
      na = -a[lo] * k;
      nb -= c[lo] * k;
      nd -= d[lo] * k;
    }
    if (hi < n)
    {
      const float k = c[t] / b[hi];
      nc = -c[hi] * k;
      nb -= a[hi] * k;
      nd -= d[hi] * k;
    }
    __syncthreads();
    a[t] = na;
    b[t] = nb;
    c[t] = nc;
    d[t] = nd;
    __syncthreads();
  }
}

extern "C" __global__ void pcr(const float *lower, const float *upper, const float *rhs, float *x, int n)
{
  __shared__ float a[64], b[64], c[64], d[64];
  const int t = threadIdx.x, row = blockIdx.x * n + t;
  a[t] = t > 0 ? 0.3f * lower[row] : 0.0f;
  b[t] = 2.0f;
  c[t] = t + 1 < n ? 0.3f * upper[row] : 0.0f;
  d[t] = rhs[row];
  __syncthreads();
  reduce<64>(a, b, c, d, n);
  x[row] = d[t] / b[t];
}

// A thread a system, Thomas' way.
extern "C" __global__ void thomas(const float *lower, const float *upper, const float *rhs, float *x, float *up, int n)
{
  const int first = threadIdx.x * n;
  for (int i = 0; i < n; ++i)
  {
    const float a = i > 0 ? 0.3f * lower[first + i] : 0.0f;
    const float c = i + 1 < n ? 0.3f * upper[first + i] : 0.0f;
    const float m = 1.0f / (2.0f - (i > 0 ? a * up[first + i - 1] : 0.0f));
    up[first + i] = c * m;
    x[first + i] = (rhs[first + i] - (i > 0 ? a * x[first + i - 1] : 0.0f)) * m;
  }
  for (int i = n - 2; i >= 0; --i) x[first + i] -= up[first + i] * x[first + i + 1];
}
