// Gallery: a twiddle table read past its end. The table has the N/2 factors that butterflies want; the transform by its
// definition wants all N, up to w^(N − 1).

#include "../../opencl/complex.h"

// An item a bin; w[k] is the k-th power of w_N.
kernel void dft(global const real2 *x, constant real2 *w, global real2 *X)
{
  int k = get_global_id(0);
  real2 sum = (float2)(0, 0);
  for (int j = 0; j < N; j++) {
    int e = j * k % N;
#ifdef RIGHT
    real2 factor = e < N / 2 ? w[e] : (float2)(-w[e - N / 2].x, -w[e - N / 2].y);
#else
    real2 factor = w[e];
#endif
    sum = sum + multiply(factor, x[j]);
  }
  X[k] = sum;
}
