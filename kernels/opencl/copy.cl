// What every pass over memory is measured with: a copy, four elements an item, a group's loads beside each other.
//
//   -DGROUP=items of a group

#include "trace_device.h"

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void copy(global const float4 *restrict x, global float4 *restrict y, int n TRACE_PARAMS)
{
  int first = get_group_id(0) * (4 * GROUP) + get_local_id(0);
  float4 a[4];
#pragma unroll
  for (int u = 0; u < 4; ++u)
    if (first + u * GROUP < n) a[u] = x[first + u * GROUP];
#pragma unroll
  for (int u = 0; u < 4; ++u) {
    int i = first + u * GROUP;
    if (i >= n) continue;
    y[i] = a[u];
    TRACE_MOVE((global float2 *)y, 2 * i, x, 2 * i, a[u].xy);
    TRACE_MOVE((global float2 *)y, 2 * i + 1, x, 2 * i + 1, a[u].zw);
  }
}
