// Gallery: no barrier between filling a tile and reading it by columns: what an item reads, another one may not have loaded
// yet.

#define TILE 8

// N × N elements, a group of 64 items for each tile.
kernel void transpose(global const float *x, global float *y)
{
  local float tile[TILE][TILE + 1];
  int lx = get_local_id(0) % TILE, ly = get_local_id(0) / TILE;
  int column = get_group_id(0) % (N / TILE) * TILE, row = get_group_id(0) / (N / TILE) * TILE;
  tile[ly][lx] = x[(row + ly) * N + column + lx];
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  y[(column + ly) * N + row + lx] = tile[lx][ly];
}
