// Gallery: an asynchronous copy that is not waited for. The copy into local memory is under way while the items read from there.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#define TILE 16

// Threads in blocks of TILE: each tile back to front.
extern "C" __global__ void reverse_tiles(const float *x, float *y)
{
  __shared__ float tile[TILE];
  int l = threadIdx.x, first = blockIdx.x * TILE;
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, x + first, sizeof(tile));
#ifdef RIGHT
  cooperative_groups::wait(block);
#endif
  y[first + l] = tile[TILE - 1 - l];
}
