// Divide-and-conquer reduction: the ladder from the first idea to a sum at the speed of memory.
//
// Every block brings its part of x into shared memory, adds pairs stage by stage, and leaves one sum; the next launch sums the sums.
// The trees are equally high: the rungs differ in which elements meet in a stage, and in which thread adds them. m is how many
// elements the block has: any n will do.
//
//   -Dnumber=int, uint or float   -DGROUP=threads of a block, a power of two

#include "trace_device.h"

typedef unsigned int uint;

// 1. Interleaved: every second thread adds, then every fourth, … Neighbours take different branches in every stage.
extern "C" __global__ void reduce_interleaved(const number *x, number *sums, int n TRACE_PARAMS)
{
  __shared__ number nums[GROUP];
  int lid = threadIdx.x, first = blockIdx.x * GROUP;
  int m = min(GROUP, n - first);
  if (lid < m) {
    number v = x[first + lid];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, first + lid, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (int i = 2, stage = 1; i <= GROUP; i *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid % i == 0 && lid + i / 2 < m) {
      number a = nums[lid], b = nums[lid + i / 2];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + i / 2, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[blockIdx.x] = nums[0];
    TRACE_MOVE(sums, blockIdx.x, nums, 0, nums[0]);
  }
}

// 2. Strided: the first threads do the work and whole warps are free; but their elements are i apart, in few banks.
extern "C" __global__ void reduce_strided(const number *x, number *sums, int n TRACE_PARAMS)
{
  __shared__ number nums[GROUP];
  int lid = threadIdx.x, first = blockIdx.x * GROUP;
  int m = min(GROUP, n - first);
  if (lid < m) {
    number v = x[first + lid];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, first + lid, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (int i = 2, stage = 1; i <= GROUP; i *= 2, ++stage) {
    TRACE_STAGE(stage);
    int at = lid * i;
    if (at + i / 2 < m) {
      number a = nums[at], b = nums[at + i / 2];
      nums[at] = a + b;
      TRACE_COMBINE(nums, at, nums, at, at + i / 2, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[blockIdx.x] = nums[0];
    TRACE_MOVE(sums, blockIdx.x, nums, 0, nums[0]);
  }
}

// 3. Sequential: thread lid adds the element s further on, s half of what is left; neighbours touch neighbours.
extern "C" __global__ void reduce_sequential(const number *x, number *sums, int n TRACE_PARAMS)
{
  __shared__ number nums[GROUP];
  int lid = threadIdx.x, first = blockIdx.x * GROUP;
  int m = min(GROUP, n - first);
  if (lid < m) {
    number v = x[first + lid];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, first + lid, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s && lid + s < m) {
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
  }
}

// 4. First add: half of the threads of 3 do nothing but load. Here a block has twice the elements, and the load adds two.
extern "C" __global__ void reduce_first_add(const number *x, number *sums, int n TRACE_PARAMS)
{
  __shared__ number nums[GROUP];
  int lid = threadIdx.x, first = blockIdx.x * 2 * GROUP;
  int m = min(GROUP, n - first), g = first + lid;
  if (g + GROUP < n) {
    number a = x[g], b = x[g + GROUP];
    nums[lid] = a + b;
    TRACE_COMBINE(nums, lid, x, g, g + GROUP, a, b);
  } else if (lid < m) {
    number v = x[g];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, g, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s && lid + s < m) {
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
  }
}

// 5. Unrolled: GROUP is known to the compiler, so that the loop and its counting can go: a block a stage, and what is past GROUP
// vanishes. Once 32 sums are left they all belong to one warp, which needs no more than its own barrier.
extern "C" __global__ void reduce_unrolled(const number *x, number *sums, int n TRACE_PARAMS)
{
  __shared__ number nums[GROUP];
  int lid = threadIdx.x, first = blockIdx.x * 2 * GROUP;
  int m = min(GROUP, n - first), g = first + lid;
  if (g + GROUP < n) {
    number a = x[g], b = x[g + GROUP];
    nums[lid] = a + b;
    TRACE_COMBINE(nums, lid, x, g, g + GROUP, a, b);
  } else if (lid < m) {
    number v = x[g];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, g, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  if (GROUP >= 1024) {
    TRACE_STAGE(LOG2_GROUP - 9);
    if (lid < 512 && lid + 512 < m) {
      number a = nums[lid], b = nums[lid + 512];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 512, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }
  if (GROUP >= 512) {
    TRACE_STAGE(LOG2_GROUP - 8);
    if (lid < 256 && lid + 256 < m) {
      number a = nums[lid], b = nums[lid + 256];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 256, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }
  if (GROUP >= 256) {
    TRACE_STAGE(LOG2_GROUP - 7);
    if (lid < 128 && lid + 128 < m) {
      number a = nums[lid], b = nums[lid + 128];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 128, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }
  if (GROUP >= 128) {
    TRACE_STAGE(LOG2_GROUP - 6);
    if (lid < 64 && lid + 64 < m) {
      number a = nums[lid], b = nums[lid + 64];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 64, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }
  if (GROUP >= 64) {
    TRACE_STAGE(LOG2_GROUP - 5);
    if (lid < 32 && lid + 32 < m) {
      number a = nums[lid], b = nums[lid + 32];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 32, a, b);
    }
    __syncwarp();
    TRACE_BARRIER();
  }
  if (GROUP >= 32) {
    TRACE_STAGE(LOG2_GROUP - 4);
    if (lid < 16 && lid + 16 < m) {
      number a = nums[lid], b = nums[lid + 16];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 16, a, b);
    }
    __syncwarp();
    TRACE_BARRIER();
  }
  if (GROUP >= 16) {
    TRACE_STAGE(LOG2_GROUP - 3);
    if (lid < 8 && lid + 8 < m) {
      number a = nums[lid], b = nums[lid + 8];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 8, a, b);
    }
    __syncwarp();
    TRACE_BARRIER();
  }
  if (GROUP >= 8) {
    TRACE_STAGE(LOG2_GROUP - 2);
    if (lid < 4 && lid + 4 < m) {
      number a = nums[lid], b = nums[lid + 4];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 4, a, b);
    }
    __syncwarp();
    TRACE_BARRIER();
  }
  if (GROUP >= 4) {
    TRACE_STAGE(LOG2_GROUP - 1);
    if (lid < 2 && lid + 2 < m) {
      number a = nums[lid], b = nums[lid + 2];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 2, a, b);
    }
    __syncwarp();
    TRACE_BARRIER();
  }
  if (GROUP >= 2) {
    TRACE_STAGE(LOG2_GROUP - 0);
    if (lid < 1 && lid + 1 < m) {
      number a = nums[lid], b = nums[lid + 1];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 1, a, b);
    }
    __syncwarp();
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[blockIdx.x] = nums[0];
    TRACE_MOVE(sums, blockIdx.x, nums, 0, nums[0]);
  }
}

// 6. Grid stride: as many blocks as the device holds; each thread first adds up every total-th element in a register.
extern "C" __global__ void reduce_grid_stride(const number *x, number *sums, int n TRACE_PARAMS)
{
  __shared__ number nums[GROUP];
  int lid = threadIdx.x, total = gridDim.x * GROUP;
  int m = min(GROUP, n - (int)blockIdx.x * GROUP);
  number sum = 0;
  for (int g = blockIdx.x * GROUP + lid; g < n; g += total) {
    number v = x[g];
    TRACE_TERM(nums, lid, x, g, (number)1, v, sum);
    sum += v;
  }
  nums[lid] = sum;
  TRACE_STORE(nums, lid, sum);
  __syncthreads();
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s && lid + s < m) {
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
  }
}
