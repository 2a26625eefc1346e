// Gallery: a sign in a constant. The third power of w_8 is (−√½, −√½); written as (√½, −√½) it is the first once more.

#include "../../cuda/complex.h"

#define C 0.70710678f

// A thread transforms eight points in its registers.
extern "C" __global__ void eight_points(const real2 *x, real2 *X)
{
  int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  real2 v[8];
  for (int k = 0; k < 8; k++)
    v[k] = x[first + k];
  for (int k = 0; k < 4; k++) {
    real2 a = v[k], b = v[k + 4];
    v[k] = a + b;
    v[k + 4] = a - b;
  }
  v[5] = make_float2(C, -C) * v[5];
  v[6] = times_i(v[6], -1);
#ifdef RIGHT
  v[7] = make_float2(-C, -C) * v[7];
#else
  v[7] = make_float2(C, -C) * v[7];
#endif
  for (int odd = 0; odd < 2; odd++) {
    real2 a = v[4 * odd] + v[4 * odd + 2], b = v[4 * odd] - v[4 * odd + 2];
    real2 c = v[4 * odd + 1] + v[4 * odd + 3], d = times_i(v[4 * odd + 1] - v[4 * odd + 3], -1);
    X[first + odd] = a + c;
    X[first + odd + 2] = b + d;
    X[first + odd + 4] = a - c;
    X[first + odd + 6] = b - d;
  }
}
