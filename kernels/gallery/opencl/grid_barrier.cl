// Gallery: a barrier that does not reach. This loop over the stages is right while all items are in one work-group. In several,
// a group goes on to the next stage as soon as its own items are ready, reads what the other groups may not have written, and
// copies its part of the result early. Right or wrong by schedule.
#include "trace_device.h"
#include "../../opencl/complex.h"
#include "../../opencl/reversal.h"

// n = 2^bits items. The one at the head of a block does all of its butterflies.
kernel void fft_single(global real2 *nums, global real2 *result, int n, int bits TRACE_PARAMS)
{
  int g = get_global_id(0);
  for (int span = 2, stage = 1; span <= n; span *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (g % span == 0) {
      for (int j = 0; j < span / 2; ++j) {
        int i0 = reverse_bits(g + j, bits), i1 = reverse_bits(g + j + span / 2, bits);
        real2 w = twiddle(j, span, -1);
        real2 a = nums[i0], b = nums[i1];
        real2 t = multiply(w, b);
        nums[i0] = a + t;
        nums[i1] = a - t;
        TRACE_BUTTERFLY(nums, i0, i1, w, a, b);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  TRACE_STAGE(0);
  int r = reverse_bits(g, bits);
  real2 v = nums[r];
  result[g] = v;
  TRACE_MOVE(result, g, nums, r, v);
}
