// Gallery: an asynchronous copy that is not waited for. The copy into local memory is under way while the items read from there.

#define TILE 16

// Items in groups of TILE: each tile back to front.
kernel void reverse_tiles(global const float *x, global float *y)
{
  local float tile[TILE];
  int l = get_local_id(0), first = get_group_id(0) * TILE;
  event_t copied = async_work_group_copy(tile, x + first, TILE, 0);
#ifdef RIGHT
  wait_group_events(1, &copied);
#endif
  y[first + l] = tile[TILE - 1 - l];
}
