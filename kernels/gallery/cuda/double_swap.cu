// Gallery: every swap twice. Thread g swaps the points g and rev(g); so does thread rev(g). Where one comes after the other the two
// swaps undo each other, where they come together the outcome is undefined: only one of the pair may swap.
#include "trace_device.h"
#include "../../cuda/complex.h"
#include "../../cuda/reversal.h"

// n = 2^bits threads.
extern "C" __global__ void bit_reversal(real2 *data, int bits TRACE_PARAMS)
{
  int g = global_id();
  int r = reverse_bits(g, bits);
#ifdef RIGHT
  if (g >= r) return;
#endif
  real2 a = data[g], b = data[r];
  data[g] = b;
  data[r] = a;
  TRACE_SWAP(data, g, r, a, b);
}
