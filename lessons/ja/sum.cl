#include "trace_device.h"

// 各ワークアイテムが、stride だけ離れた二つを足す。一回の起動が和の木の一段になる。
kernel void add_pairs(global float *x, int stride TRACE_PARAMS)
{
  int i = get_global_id(0) * 2 * stride;
  float a = x[i], b = x[i + stride];
  x[i] = a + b;
  TRACE_COMBINE(x, i, x, i, i + stride, a, b);
}
