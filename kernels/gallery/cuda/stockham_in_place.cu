// Gallery: one array for a Stockham transform. A pass writes where other items have yet to read, so that it needs two arrays,
// or a barrier between its reads and its writes.

#include "../../cuda/complex.h"

// One block of N/2 threads, N points in local memory.
extern "C" __global__ void stockham(const real2 *x, real2 *X)
{
  __shared__ real2 s[N];
  int t = threadIdx.x;
  s[t] = x[t];
  s[t + N / 2] = x[t + N / 2];
  for (int m = 1; m < N; m *= 2) {
    __syncthreads();
    int k = t % m, j = 2 * t - k;
    real2 a = s[t], b = twiddle(k, 2 * m, -1) * s[t + N / 2];
#ifdef RIGHT
    __syncthreads();
#endif
    s[j] = a + b;
    s[j + m] = a - b;
  }
  __syncthreads();
  X[t] = s[t];
  X[t + N / 2] = s[t + N / 2];
}
