// Gallery: two factors exchanged in an index. Good and Thomas take 15 points as 3 × 5 by i = (5a + 3b) mod 15; with 3a + 5b
// some points are taken twice and others never.

#include "../../cuda/complex.h"

// A thread a bin: the factors of 3 and of 5 are apart, and no twiddles are between them.
extern "C" __global__ void good_thomas(const real2 *x, real2 *X)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  real2 sum = make_float2(0, 0);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 5; b++) {
#ifdef RIGHT
      int i = (5 * a + 3 * b) % 15;
#else
      int i = (3 * a + 5 * b) % 15;
#endif
      real2 w = twiddle(a * k % 3, 3, -1) * twiddle(b * k % 5, 5, -1);
      sum = sum + w * x[i];
    }
  X[k] = sum;
}
