// Radix-2 FFT in one launch: a loop over the spans 2, 4, … n, with a barrier after each.
//
// In the stage of a span, the item whose id is a multiple of the span does all span/2 butterflies of its block, and the
// others wait: half as many items work in every stage, and the last one does n/2 butterflies alone. Nothing is permuted
// before: the points are addressed in bit-reversed order, and put in order at the end.
//
// A barrier holds the items of one work-group together, no more. So n is at most a group's size; beyond, a launch a stage.

#include "trace_device.h"
#include "complex.h"
#include "reversal.h"

// n = 2^bits items in one work-group: the compiler is told its size, so that the registers last for all of them.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_single(global real2 *nums, global real2 *result, int n, int bits, int sign TRACE_PARAMS)
{
  int g = get_global_id(0);
  for (int span = 2, stage = 1; span <= n; span *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (g % span == 0) {
      for (int j = 0; j < span / 2; ++j) {
        int i0 = reverse_bits(g + j, bits), i1 = reverse_bits(g + j + span / 2, bits);
        real2 w = twiddle(j, span, sign);
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
  result[g] = nums[r];
  TRACE_MOVE(result, g, nums, r, result[g]);
}

// n items in any number of groups: one stage, because here only the end of a launch makes groups wait for each other.
kernel void fft_single_stage(global real2 *nums, int span, int bits, int sign TRACE_PARAMS)
{
  int g = get_global_id(0);
  if (g % span == 0) {
    for (int j = 0; j < span / 2; ++j) {
      int i0 = reverse_bits(g + j, bits), i1 = reverse_bits(g + j + span / 2, bits);
      real2 w = twiddle(j, span, sign);
      real2 a = nums[i0], b = nums[i1];
      real2 t = multiply(w, b);
      nums[i0] = a + t;
      nums[i1] = a - t;
      TRACE_BUTTERFLY(nums, i0, i1, w, a, b);
    }
  }
}

// n items: puts the points in order.
kernel void gather(global const real2 *nums, global real2 *result, int bits TRACE_PARAMS)
{
  int g = get_global_id(0);
  int r = reverse_bits(g, bits);
  result[g] = nums[r];
  TRACE_MOVE(result, g, nums, r, result[g]);
}
