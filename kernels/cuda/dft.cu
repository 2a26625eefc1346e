// The discrete Fourier transform as it is defined: X[k] = Σ x[j]·w_n^(jk), a sum of n terms for each of n threads.

#include "trace_device.h"
#include "complex.h"

extern "C" __global__ void dft(const real2 *__restrict__ x, real2 *__restrict__ X, int n, int sign TRACE_PARAMS)
{
  int k = global_id();
  real2 sum = {0, 0};
  for (int j = 0; j < n; ++j) {
    real2 w = twiddle(j * k % n, n, sign);
    real2 v = x[j];
    TRACE_TERM(X, k, x, j, w, v, sum);
    sum = sum + w * v;
  }
  X[k] = sum;
  TRACE_STORE(X, k, sum);
}

// The same with table[k] = e^(∓2πi·k/n), k < n, instead of sines and cosines.
extern "C" __global__ void dft_table(const real2 *__restrict__ x, real2 *__restrict__ X, int n,
                                     const real2 *__restrict__ table TRACE_PARAMS)
{
  int k = global_id();
  real2 sum = {0, 0};
  for (int j = 0; j < n; ++j) {
    real2 w = table[j * k % n];
    real2 v = x[j];
    TRACE_TERM(X, k, x, j, w, v, sum);
    sum = sum + w * v;
  }
  X[k] = sum;
  TRACE_STORE(X, k, sum);
}
