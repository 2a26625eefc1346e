// Gallery: the array of the pass before. Passes go from p to q and back, so that after an even number of them the result is in
// p; the host copies q, as after an odd one. (The right twin copies p: the kernels are the same.)

#include "../../opencl/complex.h"

// N/2 items: one pass, from one array to the other.
kernel void stockham_pass(global const real2 *from, global real2 *to, int m)
{
  int t = get_global_id(0), k = t % m, j = 2 * t - k;
  real2 a = from[t], b = multiply(twiddle(k, 2 * m, -1), from[t + N / 2]);
  to[j] = a + b;
  to[j + m] = a - b;
}

// N items.
kernel void result(global const real2 *from, global real2 *X)
{
  int k = get_global_id(0);
  X[k] = from[k];
}
