// Radix-2 FFT in one launch: a loop over the spans 2, 4, … n, with a barrier after each.
//
// In the stage of a span, the thread whose id is a multiple of the span does all span/2 butterflies of its block of points,
// and the others wait: half as many threads work in every stage, and the last one does n/2 butterflies alone. Nothing is
// permuted before: the points are addressed in bit-reversed order, and put in order at the end.
//
// __syncthreads holds the threads of one block together, no more. So n is at most a block's size; beyond, a launch a stage,
// or a cooperative launch (fft_radix2_grid.cu), in which the whole grid can wait.

#include "trace_device.h"
#include "complex.h"
#include "reversal.h"

// n = 2^bits threads in one block.
extern "C" __global__ void fft_single(real2 *nums, real2 *result, int n, int bits, int sign TRACE_PARAMS)
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
    __syncthreads();
    TRACE_BARRIER();
  }
  TRACE_STAGE(0);
  int r = reverse_bits(g, bits);
  result[g] = nums[r];
  TRACE_MOVE(result, g, nums, r, result[g]);
}

// n threads in any number of blocks: one stage, because the end of a launch is a barrier between blocks.
extern "C" __global__ void fft_single_stage(real2 *nums, int span, int bits, int sign TRACE_PARAMS)
{
  int g = global_id();
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
}

// n threads: puts the points in order.
extern "C" __global__ void gather(const real2 *__restrict__ nums, real2 *__restrict__ result, int bits TRACE_PARAMS)
{
  int g = global_id();
  int r = reverse_bits(g, bits);
  result[g] = nums[r];
  TRACE_MOVE(result, g, nums, r, result[g]);
}
