// Gallery: a barrier across blocks. The loop is right while all threads are in one block. In several, the first thread of one
// block adds what the first thread of the next may not have finished: the barrier between them holds only its own block.
#include "trace_device.h"

// n threads; the sum ends in nums[0].
extern "C" __global__ void reduce(int *nums, int n TRACE_PARAMS)
{
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 2, stage = 1; i / 2 < n; i *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (g % i == 0 && g + i / 2 < n) {
      int a = nums[g], b = nums[g + i / 2];
      nums[g] = a + b;
      TRACE_COMBINE(nums, g, nums, g, g + i / 2, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }
}
