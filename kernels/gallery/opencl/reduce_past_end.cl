// Gallery: past the end. Item g adds the element i/2 further on; where n is no power of two the last working item of a stage
// has none, and adds what is behind the array.
#include "trace_device.h"

// n items in one work-group; the sum ends in nums[0].
kernel void reduce(global int *nums, int n TRACE_PARAMS)
{
  int g = get_global_id(0);
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
    barrier(CLK_GLOBAL_MEM_FENCE);
    TRACE_BARRIER();
  }
}
