// Gallery: a twiddle table read past its end. The table has the N/2 factors that butterflies want; the transform by its
// definition wants all N, up to w^(N − 1).

#include "../../cuda/complex.h"

// A thread a bin; w[k] is the k-th power of w_N.
extern "C" __global__ void dft(const real2 *x, const real2 *w, real2 *X)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  real2 sum = make_float2(0, 0);
  for (int j = 0; j < N; j++) {
    int e = j * k % N;
#ifdef RIGHT
    real2 factor = e < N / 2 ? w[e] : make_float2(-w[e - N / 2].x, -w[e - N / 2].y);
#else
    real2 factor = w[e];
#endif
    sum = sum + factor * x[j];
  }
  X[k] = sum;
}
