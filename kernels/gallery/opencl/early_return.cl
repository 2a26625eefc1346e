// Gallery: an early return before a barrier. The items past the end have nothing to do and leave; the others wait at the barrier
// for all of the group. Undefined, and a hang on many devices: guard the work, not the barrier.
#include "trace_device.h"

// One group; every item adds its neighbour's value to its own: y[g] = x[g] + x[g + 1], x[n] = 0. GROUP is the group's size.
kernel void add_neighbour(global const int *x, global int *y, int n TRACE_PARAMS)
{
  local int tile[GROUP];
  int lid = get_local_id(0);
#ifdef RIGHT
  bool works = lid < n;
#else
  if (lid >= n) return;
  bool works = true;
#endif
  if (works) {
    int v = x[lid];
    tile[lid] = v;
    TRACE_MOVE(tile, lid, x, lid, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();
  if (works && lid + 1 < n) {
    int a = tile[lid], b = tile[lid + 1];
    y[lid] = a + b;
    TRACE_COMBINE(y, lid, tile, lid, lid + 1, a, b);
  }
}
