// Gallery: the array of the pass before. Passes go from p to q and back, so that after an even number of them the result is in
// p; the host copies q, as after an odd one. (The right twin copies p: the kernels are the same.)

#include "../../cuda/complex.h"

// N/2 threads: one pass, from one array to the other.
extern "C" __global__ void stockham_pass(const real2 *from, real2 *to, int m)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % m, j = 2 * t - k;
  real2 a = from[t], b = twiddle(k, 2 * m, -1) * from[t + N / 2];
  to[j] = a + b;
  to[j + m] = a - b;
}

// N threads.
extern "C" __global__ void result(const real2 *from, real2 *X)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  X[k] = from[k];
}
