// twiddle view sum_tree.toml     a sum as a tree: half as many work-items in each launch, partners twice as far apart
//
// twiddle verify sum_tree.toml compares the outcome with a sum in double precision.
#include "trace_device.h"

// n / (2 stride) work-items: each adds the element `stride` to the right of its own, in place.
kernel void add_pairs(global float *x, int stride TRACE_PARAMS)
{
  int i = get_global_id(0) * 2 * stride;
  float a = x[i], b = x[i + stride];
  x[i] = a + b;
  TRACE_COMBINE(x, i, x, i, i + stride, a, b);
}
