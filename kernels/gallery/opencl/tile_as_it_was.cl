// Gallery: a tile carried to its place and not turned. The tiles of the array are transposed, the elements within each are as
// they were.

#define TILE 8

// N × N elements, a group of 64 items for each tile.
kernel void transpose(global const float *x, global float *y)
{
  local float tile[TILE][TILE + 1];
  int lx = get_local_id(0) % TILE, ly = get_local_id(0) / TILE;
  int column = get_group_id(0) % (N / TILE) * TILE, row = get_group_id(0) / (N / TILE) * TILE;
  tile[ly][lx] = x[(row + ly) * N + column + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  y[(column + ly) * N + row + lx] = tile[lx][ly];
#else
  y[(column + ly) * N + row + lx] = tile[ly][lx];
#endif
}
