// Gallery: every swap twice. Item g swaps the points g and rev(g); so does item rev(g). Where one comes after the other the two
// swaps undo each other, where they come together the outcome is undefined: only one of the pair may swap.
#include "trace_device.h"
#include "../../opencl/complex.h"
#include "../../opencl/reversal.h"

// n = 2^bits items.
kernel void bit_reversal(global real2 *data, int bits TRACE_PARAMS)
{
  int g = get_global_id(0);
  int r = reverse_bits(g, bits);
#ifdef RIGHT
  if (g >= r) return;
#endif
  real2 a = data[g], b = data[r];
  data[g] = b;
  data[r] = a;
  TRACE_SWAP(data, g, r, a, b);
}
