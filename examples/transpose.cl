// twiddle view transpose.toml     a transpose through a tile of local memory: rows in, rows out
//
// twiddle check transpose.toml says what reading the tile's columns costs: TILE + 1 elements a row would avoid it.
#include "trace_device.h"

#define TILE 8

// One work-item an element of the n × n array; a work-group moves a tile of TILE × TILE.
kernel void transpose(global const float *in, global float *out, int n TRACE_PARAMS)
{
  local float tile[TILE * TILE];
  int column = get_local_id(0), row = get_local_id(1);
  int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;

  int from = (top + row) * n + left + column;
  float x = in[from];
  tile[row * TILE + column] = x;
  TRACE_MOVE(tile, row * TILE + column, in, from, x);
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  int to = (left + row) * n + top + column;
  float y = tile[column * TILE + row];
  out[to] = y;
  TRACE_MOVE(out, to, tile, column * TILE + row, y);
}
