// Gallery: one array for a Stockham transform. A pass writes where other items have yet to read, so that it needs two arrays,
// or a barrier between its reads and its writes.

#include "../../opencl/complex.h"

// One group of N/2 items, N points in local memory.
kernel void stockham(global const real2 *x, global real2 *X)
{
  local real2 s[N];
  int t = get_local_id(0);
  s[t] = x[t];
  s[t + N / 2] = x[t + N / 2];
  for (int m = 1; m < N; m *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int k = t % m, j = 2 * t - k;
    real2 a = s[t], b = multiply(twiddle(k, 2 * m, -1), s[t + N / 2]);
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    s[j] = a + b;
    s[j + m] = a - b;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  X[t] = s[t];
  X[t + N / 2] = s[t + N / 2];
}
