// Gallery: a sign in a constant. The third power of w_8 is (−√½, −√½); written as (√½, −√½) it is the first once more.

#include "../../opencl/complex.h"

#define C 0.70710678f

// An item transforms eight points in its registers.
kernel void eight_points(global const real2 *x, global real2 *X)
{
  int first = 8 * (get_global_id(0));
  real2 v[8];
  for (int k = 0; k < 8; k++)
    v[k] = x[first + k];
  for (int k = 0; k < 4; k++) {
    real2 a = v[k], b = v[k + 4];
    v[k] = a + b;
    v[k + 4] = a - b;
  }
  v[5] = multiply((float2)(C, -C), v[5]);
  v[6] = times_i(v[6], -1);
#ifdef RIGHT
  v[7] = multiply((float2)(-C, -C), v[7]);
#else
  v[7] = multiply((float2)(C, -C), v[7]);
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
