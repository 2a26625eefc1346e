// Gallery: a barrier across work-groups. The loop is right while all items are in one group. In several, the first item of one
// group adds what the first item of the next may not have finished: the barrier between them holds only its own group.
#include "trace_device.h"

// n items; the sum ends in nums[0].
kernel void reduce(global int *nums, int n TRACE_PARAMS)
{
  int g = get_global_id(0);
  for (int i = 2, stage = 1; i / 2 < n; i *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (g % i == 0 && g + i / 2 < n) {
      int a = nums[g], b = nums[g + i / 2];
      nums[g] = a + b;
      TRACE_COMBINE(nums, g, nums, g, g + i / 2, a, b);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    TRACE_BARRIER();
  }
}
