// Gallery: an early return before a barrier. The threads past the end have nothing to do and leave; the others wait at the barrier
// for all of the block. Undefined, and a hang on many devices: guard the work, not the barrier.
#include "trace_device.h"

// One block; every thread adds its neighbour's value to its own: y[g] = x[g] + x[g + 1], x[n] = 0. GROUP is the block's size.
extern "C" __global__ void add_neighbour(const int *x, int *y, int n TRACE_PARAMS)
{
  __shared__ int tile[GROUP];
  int lid = threadIdx.x;
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
  __syncthreads();
  TRACE_BARRIER();
  if (works && lid + 1 < n) {
    int a = tile[lid], b = tile[lid + 1];
    y[lid] = a + b;
    TRACE_COMBINE(y, lid, tile, lid, lid + 1, a, b);
  }
}
