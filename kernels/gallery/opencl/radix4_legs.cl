// Gallery: two legs of a radix-4 butterfly exchanged. Forward takes −i for the second output and +i for the fourth: with the
// signs the other way round bins 1 and 3 of each butterfly change places.

#include "../../opencl/complex.h"

// N/4 items: one pass, from one array to the other.
kernel void radix4_pass(global const real2 *from, global real2 *to, int m)
{
  int t = get_global_id(0), k = t % m, j = 4 * t - 3 * k;
  real2 a = from[t];
  real2 b = multiply(twiddle(k, 4 * m, -1), from[t + N / 4]);
  real2 c = multiply(twiddle(2 * k, 4 * m, -1), from[t + N / 2]);
  real2 d = multiply(twiddle(3 * k, 4 * m, -1), from[t + 3 * N / 4]);
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
