// The discrete Fourier transform as it is defined: X[k] = Σ x[j]·w_n^(jk), a sum of n terms for each of n work-items.

#include "trace_device.h"
#include "complex.h"

kernel void dft(global const real2 *x, global real2 *X, int n, int sign TRACE_PARAMS)
{
  int k = get_global_id(0);
  real2 sum = 0;
  for (int j = 0; j < n; ++j) {
    real2 w = twiddle(j * k % n, n, sign);
    real2 v = x[j];
    TRACE_TERM(X, k, x, j, w, v, sum);
    sum += multiply(w, v);
  }
  X[k] = sum;
  TRACE_STORE(X, k, sum);
}

// The same with table[k] = e^(∓2πi·k/n), k < n, instead of sines and cosines.
kernel void dft_table(global const real2 *x, global real2 *X, int n, global const real2 *table TRACE_PARAMS)
{
  int k = get_global_id(0);
  real2 sum = 0;
  for (int j = 0; j < n; ++j) {
    real2 w = table[j * k % n];
    real2 v = x[j];
    TRACE_TERM(X, k, x, j, w, v, sum);
    sum += multiply(w, v);
  }
  X[k] = sum;
  TRACE_STORE(X, k, sum);
}
