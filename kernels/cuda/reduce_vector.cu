// Reductions at the speed of memory: the last rungs of the ladder that reduce.cu begins.
//
// A block's loads are beside each other: UNROLL vectors of four numbers a thread, GROUP vectors apart.
//
//   -Dnumber=int, uint or float   -Dnumber4=int4 …   -DGROUP=threads of a block, a power of two   -DUNROLL=loads in flight

#include "trace_device.h"

typedef unsigned int uint;

// 7. Vectors: four numbers a load, and UNROLL loads before the first sum, so that more bytes are on their way at a time.
//
// 8. The last block, -DLAST_BLOCK: the same, but the block that finishes last adds up the sums of all, so that
// there is no second launch. A ticket tells it; __threadfence makes its sum visible before the ticket is drawn. `ticket` is zero at first, and again in the end.
extern "C" __global__ __launch_bounds__(GROUP) void reduce_vector(const number4 *__restrict__ x, number *sums,
#ifdef LAST_BLOCK
    uint *ticket, number *total,
#endif
    int n TRACE_PARAMS)
{
  __shared__ number nums[GROUP];
#ifdef LAST_BLOCK
  __shared__ uint place;
#endif
  int lid = threadIdx.x, step = gridDim.x * GROUP * UNROLL;
  number sum = 0;
  for (int first = blockIdx.x * GROUP * UNROLL + lid; first < n / 4; first += step) {
    number4 a[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      int i = first + u * GROUP;
      a[u] = i < n / 4 ? x[i] : number4{0, 0, 0, 0};
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      int i = first + u * GROUP;
      if (i < n / 4) {
        TRACE_TERM(nums, lid, x, 4 * i, (number)1, a[u].x, sum);
        TRACE_TERM(nums, lid, x, 4 * i + 1, (number)1, a[u].y, sum + a[u].x);
        TRACE_TERM(nums, lid, x, 4 * i + 2, (number)1, a[u].z, sum + a[u].x + a[u].y);
        TRACE_TERM(nums, lid, x, 4 * i + 3, (number)1, a[u].w, sum + a[u].x + a[u].y + a[u].z);
      }
      sum = sum + a[u].x + a[u].y + a[u].z + a[u].w;
    }
  }
  int rest = n / 4 * 4 + lid;  // what is no whole vector
  if (blockIdx.x == 0 && rest < n) {
    number v = ((const number *)x)[rest];
    TRACE_TERM(nums, lid, x, rest, (number)1, v, sum);
    sum += v;
  }
  nums[lid] = sum;
  TRACE_STORE(nums, lid, sum);
  __syncthreads();
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s) {
      number a = nums[lid], b = nums[lid + s];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + s, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[blockIdx.x] = nums[0];
    TRACE_MOVE(sums, blockIdx.x, nums, 0, nums[0]);
#ifdef LAST_BLOCK
    __threadfence();
    place = atomicAdd(ticket, 1u);
    TRACE_ATOMIC(ticket, 0, place, 1u);
    TRACE_STORE(&place, 0, place);
#endif
  }
#ifdef LAST_BLOCK
  __syncthreads();
  TRACE_BARRIER();
  TRACE_LOAD(&place, 0, place);
  if (place != gridDim.x - 1) return;

  __threadfence();
  sum = 0;
  for (int i = lid; i < gridDim.x; i += GROUP) {
    number v = __ldcg(&sums[i]);
    TRACE_TERM(nums, lid, sums, i, (number)1, v, sum);
    sum += v;
  }
  nums[lid] = sum;
  TRACE_STORE(nums, lid, sum);
  __syncthreads();
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s) {
      number a = nums[lid], b = nums[lid + s];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + s, a, b);
      if (s == 1) {
        *total = a + b;
        TRACE_MOVE(total, 0, nums, 0, a + b);
        *ticket = 0;
        TRACE_STORE(ticket, 0, 0u);
      }
    }
    __syncthreads();
    TRACE_BARRIER();
  }
#endif
}
