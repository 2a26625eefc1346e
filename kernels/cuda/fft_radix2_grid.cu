// fft_radix2_single.cu's transform for more points than a block has threads: the same loop over the spans, in a cooperative
// launch, where all blocks are on the device at once and can wait for each other.

#include <cooperative_groups.h>

#include "trace_device.h"
#include "complex.h"
#include "reversal.h"

// n = 2^bits threads in any number of blocks.
extern "C" __global__ void fft_single_grid(real2 *nums, real2 *result, int n, int bits, int sign TRACE_PARAMS)
{
  int g = global_id();
  for (int span = 2, stage = 1; span <= n; span *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (g % span == 0) {
      for (int j = 0; j < span / 2; ++j) {
        int i0 = reverse_bits(g + j, bits), i1 = reverse_bits(g + j + span / 2, bits);
        real2 w = twiddle(j, span, sign);
        real2 a = nums[i0], b = nums[i1];
        real2 t = w * b;
        nums[i0] = a + t;
        nums[i1] = a - t;
        TRACE_BUTTERFLY(nums, i0, i1, w, a, b);
      }
    }
    cooperative_groups::this_grid().sync();
    TRACE_BARRIER();
  }
  TRACE_STAGE(0);
  int r = reverse_bits(g, bits);
  result[g] = nums[r];
  TRACE_MOVE(result, g, nums, r, result[g]);
}
