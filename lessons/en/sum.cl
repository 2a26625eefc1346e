#include "trace_device.h"

// Each item adds a pair that is `stride` apart: a level of a sum's tree a launch.
kernel void add_pairs(global float *x, int stride TRACE_PARAMS)
{
  int i = get_global_id(0) * 2 * stride;
  float a = x[i], b = x[i + stride];
  x[i] = a + b;
  TRACE_COMBINE(x, i, x, i, i + stride, a, b);
}
