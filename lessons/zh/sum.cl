#include "trace_device.h"

// 每个工作项把相距 stride 的两个数相加：一次启动就是求和树的一层。
kernel void add_pairs(global float *x, int stride TRACE_PARAMS)
{
  int i = get_global_id(0) * 2 * stride;
  float a = x[i], b = x[i + stride];
  x[i] = a + b;
  TRACE_COMBINE(x, i, x, i, i + stride, a, b);
}
