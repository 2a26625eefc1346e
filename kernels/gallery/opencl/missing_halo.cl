// Gallery: a tile without its halo. A filter of three taps wants one element beyond either end of the tile; no item loads these
// two.

#define TILE 16

// N items in groups of TILE.
kernel void smooth(global const float *x, global float *y)
{
  local float tile[TILE + 2];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l + 1] = x[i];
#ifdef RIGHT
  if (l == 0)
    tile[0] = i > 0 ? x[i - 1] : 0;
  if (l == TILE - 1)
    tile[TILE + 1] = i + 1 < N ? x[i + 1] : 0;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l] + 2 * tile[l + 1] + tile[l + 2];
}
