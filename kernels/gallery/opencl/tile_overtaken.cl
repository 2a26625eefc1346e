// Gallery: a tile that is filled again too early. A loop over tiles wants two barriers a round: one after filling, and one
// after use, before the next round fills it.

#define TILE 16

// One group of TILE items: each one's sum over the whole of x, turned by its number.
kernel void turned_sums(global const int *x, global int *y)
{
  local int tile[TILE];
  int l = get_local_id(0), sum = 0;
  for (int first = 0; first < N; first += TILE) {
    tile[l] = x[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++)
      sum += (k + 1) * tile[(l + k) % TILE];
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  y[l] = sum;
}
