// A transpose of yours to change: each group carries a tile through local memory, so that rows are read and rows are written.
// mine.toml says what it runs on.
//
//   twiddle check mine.toml      runs it, and says what is wrong or wasteful
//   twiddle view mine.toml       shows it; save this file, and the window traces again
//   twiddle verify mine.toml     compares the outcome element by element

// Groups of TILE × TILE, as many as cover the array. A row of the tile is one element longer than it needs to be, so that a
// column of it is in as many banks.
kernel void transpose(global const float *in, global float *out, int rows, int columns)
{
  local float tile[TILE][TILE + 1];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
  if (x < columns && y < rows)
    tile[ly][lx] = in[y * columns + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TILE + lx;
  y = get_group_id(0) * TILE + ly;
  if (x < rows && y < columns)
    out[y * rows + x] = tile[lx][ly];
}
