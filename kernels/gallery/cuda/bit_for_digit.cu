// Gallery: bits for digits. Radix 4 splits the points by their remainder modulo 4, so that its first stage takes them in the
// order of reversed base-4 digits. Reversing bits turns round the two bits of every digit as well: the second and the third
// leg of each butterfly change places, and one of 256 bins is right.
#include "trace_device.h"
#include "../../cuda/complex.h"
#include "../../cuda/reversal.h"

// n = 4^digits threads. The smaller index of a pair swaps it.
extern "C" __global__ void reversal(real2 *x, int digits TRACE_PARAMS)
{
  int g = global_id();
#ifdef RIGHT
  int r = reverse_digits(g, digits);
#else
  int r = reverse_bits(g, 2 * digits);
#endif
  if (g < r) {
    real2 a = x[g], b = x[r];
    x[g] = b;
    x[r] = a;
    TRACE_SWAP(x, g, r, a, b);
  }
}
