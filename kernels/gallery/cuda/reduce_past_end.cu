// Gallery: past the end. Thread g adds the element i/2 further on; where n is no power of two the last working thread of a stage
// has none, and adds what is behind the array.
#include "trace_device.h"

// n threads in one block; the sum ends in nums[0].
extern "C" __global__ void reduce(int *nums, int n TRACE_PARAMS)
{
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 2, stage = 1; i / 2 < n; i *= 2, ++stage) {
    TRACE_STAGE(stage);
#ifdef RIGHT
    bool works = g % i == 0 && g + i / 2 < n;
#else
    bool works = g % i == 0;
#endif
    if (works) {
      int a = nums[g], b = nums[g + i / 2];
      nums[g] = a + b;
      TRACE_COMBINE(nums, g, nums, g, g + i / 2, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }
}
