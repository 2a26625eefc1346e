// Gallery: a bank conflict. Local memory has 32 banks of 4 bytes, in turn. The tile is written by rows and read by columns; in a
// row of 32 elements all of a column are in one bank, and 32 items wait for each other. A row of 33 puts them into 32 banks.
#include "trace_device.h"

#ifdef RIGHT
#define PITCH 33
#else
#define PITCH 32
#endif

// A group of 32 items transposes a tile of 32 × 32: y = x transposed, both n × n.
kernel void transpose(global const float *x, global float *y, int n TRACE_PARAMS)
{
  local float tile[32 * PITCH];
  int lid = get_local_id(0), tiles = n / 32;
  int row = get_group_id(0) / tiles * 32, column = get_group_id(0) % tiles * 32;

  for (int r = 0; r < 32; ++r) {
    int from = (row + r) * n + column + lid;
    float v = x[from];
    tile[r * PITCH + lid] = v;
    TRACE_MOVE(tile, r * PITCH + lid, x, from, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int c = 0; c < 32; ++c) {
    int to = (column + c) * n + row + lid;
    float v = tile[lid * PITCH + c];
    y[to] = v;
    TRACE_MOVE(y, to, tile, lid * PITCH + c, v);
  }
}
