// Divide-and-conquer reduction by shuffles: lanes of a warp take each other's registers, and shared memory has a sum of each warp.
//
// Each thread adds two numbers while it loads. Then stages halve the distance from 16 to 1: lane l adds the register of lane
// l + s, which __shfl_down_sync brings without memory or a barrier of the block; those that take part wait there for each other.
// Lane 0 of a warp leaves the warp's sum in shared memory, and the first warp adds those up in the same way. m is how many sums
// the block begins with: any n will do.
//
//   -Dnumber=int, uint or float   -DGROUP=threads of a block, a power of two   -DLOG2_GROUP

#include "trace_device.h"

typedef unsigned int uint;

#define WARP (GROUP < 32 ? GROUP : 32)
#define LOG2_WARP (LOG2_GROUP < 5 ? LOG2_GROUP : 5)
#define WARPS (GROUP / WARP)
#define ALL (0xffffffffu >> (32 - WARP))  // the lanes that take part

extern "C" __global__ void reduce_shuffle(const number *x, number *sums, int n TRACE_PARAMS)
{
  __shared__ number nums[WARPS];
  number v[1];
  v[0] = 0;
  int lid = threadIdx.x, lane = lid % WARP, first = blockIdx.x * 2 * GROUP;
  int m = min(GROUP, n - first), g = first + lid;
  if (g + GROUP < n) {
    number a = x[g], b = x[g + GROUP];
    v[0] = a + b;
    TRACE_COMBINE(v, 0, x, g, g + GROUP, a, b);
  } else if (lid < m) {
    v[0] = x[g];
    TRACE_MOVE(v, 0, x, g, v[0]);
  }

  for (int s = WARP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    number b = __shfl_down_sync(ALL, v[0], s);
    TRACE_BARRIER();
    TRACE_STAGE(stage);
    if (lane < s && lid + s < m) {
      number a = v[0];
      v[0] = a + b;
      TRACE_COMBINE(v, 0, v, 0, TRACE_OF_ITEM(lid + s, 0), a, b);
    }
  }

  if (WARPS > 1) {
    if (lane == 0 && lid < m) {
      nums[lid / WARP] = v[0];
      TRACE_MOVE(nums, lid / WARP, v, 0, v[0]);
    }
    __syncthreads();
    TRACE_BARRIER();
    TRACE_STAGE(0);
    int left = (m + WARP - 1) / WARP;
    if (lid < left) {
      v[0] = nums[lid];
      TRACE_MOVE(v, 0, nums, lid, v[0]);
    }

    for (int s = WARPS / 2, stage = LOG2_WARP + 1; s > 0; s /= 2, ++stage) {
      number b = __shfl_down_sync(ALL, v[0], s);
      TRACE_BARRIER();
      TRACE_STAGE(stage);
      if (lid < s && lid + s < left) {
        number a = v[0];
        v[0] = a + b;
        TRACE_COMBINE(v, 0, v, 0, TRACE_OF_ITEM(lid + s, 0), a, b);
      }
    }
  }

  if (lid == 0) {
    sums[blockIdx.x] = v[0];
    TRACE_MOVE(sums, blockIdx.x, v, 0, v[0]);
  }
}
