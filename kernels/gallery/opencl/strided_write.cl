// Gallery: writing by columns. Neighbouring items write n elements apart, so that each needs a sector of 32 bytes of its own and
// uses 4 of them. Through a tile in local memory they read and write in order.
#include "trace_device.h"

// n × n elements, 32 to a group: y = x transposed.
#ifndef RIGHT
kernel void transpose(global const float *x, global float *y, int n TRACE_PARAMS)
{
  int g = get_global_id(0);
  int row = g / n, column = g % n;
  float v = x[g];
  y[column * n + row] = v;
  TRACE_MOVE(y, column * n + row, x, g, v);
}
#else
kernel void transpose(global const float *x, global float *y, int n TRACE_PARAMS)
{
  local float tile[32 * 33];
  int lid = get_local_id(0), tiles = n / 32;
  int row = get_group_id(0) / tiles * 32, column = get_group_id(0) % tiles * 32;

  for (int r = 0; r < 32; ++r) {
    int from = (row + r) * n + column + lid;
    float v = x[from];
    tile[r * 33 + lid] = v;
    TRACE_MOVE(tile, r * 33 + lid, x, from, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int c = 0; c < 32; ++c) {
    int to = (column + c) * n + row + lid;
    float v = tile[lid * 33 + c];
    y[to] = v;
    TRACE_MOVE(y, to, tile, lid * 33 + c, v);
  }
}
#endif
