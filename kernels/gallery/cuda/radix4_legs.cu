// Gallery: two legs of a radix-4 butterfly exchanged. Forward takes −i for the second output and +i for the fourth: with the
// signs the other way round bins 1 and 3 of each butterfly change places.

#include "../../cuda/complex.h"

// N/4 threads: one pass, from one array to the other.
extern "C" __global__ void radix4_pass(const real2 *from, real2 *to, int m)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % m, j = 4 * t - 3 * k;
  real2 a = from[t];
  real2 b = twiddle(k, 4 * m, -1) * from[t + N / 4];
  real2 c = twiddle(2 * k, 4 * m, -1) * from[t + N / 2];
  real2 d = twiddle(3 * k, 4 * m, -1) * from[t + 3 * N / 4];
#ifdef RIGHT
  real2 turned = times_i(b - d, -1);
#else
  real2 turned = times_i(b - d, 1);
#endif
  to[j] = a + c + (b + d);
  to[j + m] = a - c + turned;
  to[j + 2 * m] = a + c - (b + d);
  to[j + 3 * m] = a - c - turned;
}
