// What every pass over memory is measured with: a copy, four elements a thread, a block's loads beside each other.
//
//   -DGROUP=threads of a block

#include "trace_device.h"

extern "C" __global__ __launch_bounds__(GROUP) void copy(const float4 *__restrict__ x, float4 *__restrict__ y, int n TRACE_PARAMS)
{
  int first = blockIdx.x * (4 * GROUP) + threadIdx.x;
  float4 a[4];
#pragma unroll
  for (int u = 0; u < 4; ++u)
    if (first + u * GROUP < n) a[u] = x[first + u * GROUP];
#pragma unroll
  for (int u = 0; u < 4; ++u) {
    int i = first + u * GROUP;
    if (i >= n) continue;
    y[i] = a[u];
    TRACE_MOVE((float2 *)y, 2 * i, x, 2 * i, make_float2(a[u].x, a[u].y));
    TRACE_MOVE((float2 *)y, 2 * i + 1, x, 2 * i + 1, make_float2(a[u].z, a[u].w));
  }
}
