// Prefix sums (scan): y[i] = x[0] + … + x[i], or, exclusive, without x[i] itself. Two textbook ways.
//
// A block scans its part of x in shared memory and leaves the part's sum in `sums`. Where there are several blocks, the sums are
// scanned the same way, and add_offsets adds to each block's part what is before it. Any n will do.
//
//   -Dnumber=int, uint or float   -DGROUP=threads of a block, a power of two

#include "trace_device.h"

typedef unsigned int uint;

// 1. Hillis and Steele: in step d = 1, 2, 4, … every element adds the one d before it. log2 steps, in each of which all threads
// work: n log n additions. Two halves of `nums` take turns, because an element is still read while its sum is written.
extern "C" __global__ void scan_hillis_steele(const number *x, number *y, number *sums, int n, int exclusive TRACE_PARAMS)
{
  __shared__ number nums[2 * GROUP];
  int lid = threadIdx.x, g = blockIdx.x * GROUP + threadIdx.x;
  if (g < n) {
    number v = x[g];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, g, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  int from = 0;
  for (int d = 1, stage = 1; d < GROUP; d *= 2, ++stage) {
    TRACE_STAGE(stage);
    int i = from + lid, o = GROUP - from + lid;
    if (g < n && lid >= d) {
      number a = nums[i - d], b = nums[i];
      nums[o] = a + b;
      TRACE_COMBINE(nums, o, nums, i - d, i, a, b);
    } else if (g < n) {
      number v = nums[i];
      nums[o] = v;
      TRACE_MOVE(nums, o, nums, i, v);
    }
    from = GROUP - from;
    __syncthreads();
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (g < n) {
    int i = lid - exclusive;
    if (i >= 0) {
      number v = nums[from + i];
      y[g] = v;
      TRACE_MOVE(y, g, nums, from + i, v);
    } else {
      y[g] = 0;
      TRACE_STORE(y, g, (number)0);
    }
    if (lid == GROUP - 1 || g == n - 1) {
      number sum = nums[from + lid];
      sums[blockIdx.x] = sum;
      TRACE_MOVE(sums, blockIdx.x, nums, from + lid, sum);
    }
  }
}

// 2. Blelloch: a tree of sums, built upwards and then gone down again: 2 log2 steps, but only 2n additions. A thread has two
// elements; past the end of x they are 0. Up: every right child becomes the sum of both. The root becomes 0: nothing is before all.
// Down: what is before a parent is before its left child; before its right child there is the left child's sum as well.
extern "C" __global__ void scan_blelloch(const number *x, number *y, number *sums, int n, int exclusive TRACE_PARAMS)
{
  __shared__ number nums[2 * GROUP + 1];  // the last one keeps the sum of all
  int lid = threadIdx.x, first = blockIdx.x * 2 * GROUP;
  for (int i = lid; i < 2 * GROUP; i += GROUP) {
    if (first + i < n) {
      number v = x[first + i];
      nums[i] = v;
      TRACE_MOVE(nums, i, x, first + i, v);
    } else {
      nums[i] = 0;
      TRACE_STORE(nums, i, (number)0);
    }
  }
  __syncthreads();
  TRACE_BARRIER();

  int stage = 1;
  for (int d = 1; d <= GROUP; d *= 2, ++stage) {
    TRACE_STAGE(stage);
    int right = (lid + 1) * 2 * d - 1, left = right - d;
    if (right < 2 * GROUP) {
      number a = nums[left], b = nums[right];
      nums[right] = a + b;
      TRACE_COMBINE(nums, right, nums, left, right, a, b);
    }
    __syncthreads();
    TRACE_BARRIER();
  }

  TRACE_STAGE(stage);
  if (lid == 0) {
    number sum = nums[2 * GROUP - 1];
    nums[2 * GROUP] = sum;
    TRACE_MOVE(nums, 2 * GROUP, nums, 2 * GROUP - 1, sum);
    nums[2 * GROUP - 1] = 0;
    TRACE_STORE(nums, 2 * GROUP - 1, (number)0);
  }
  __syncthreads();
  TRACE_BARRIER();
  ++stage;

  for (int d = GROUP; d >= 1; d /= 2, ++stage) {
    TRACE_STAGE(stage);
    int right = (lid + 1) * 2 * d - 1, left = right - d;
    if (right < 2 * GROUP) {
      number a = nums[left], b = nums[right];
      nums[left] = b;
      nums[right] = a;
      TRACE_SWAP(nums, left, right, a, b);
      nums[right] = b + a;
      TRACE_COMBINE(nums, right, nums, left, right, b, a);
    }
    __syncthreads();
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  for (int i = lid; i < 2 * GROUP && first + i < n; i += GROUP) {
    int at = i + 1 - exclusive;  // with x[i] itself it is what is before the next one
    number v = nums[at];
    y[first + i] = v;
    TRACE_MOVE(y, first + i, nums, at, v);
  }
  if (lid == 0) {
    number sum = nums[2 * GROUP];
    sums[blockIdx.x] = sum;
    TRACE_MOVE(sums, blockIdx.x, nums, 2 * GROUP, sum);
  }
}

// Adds to the scan of every block but the first, `width` elements each, the sum of all blocks before it.
extern "C" __global__ void add_offsets(number *y, const number *offsets, int n, int width TRACE_PARAMS)
{
  int g = width + blockIdx.x * blockDim.x + threadIdx.x;
  if (g < n) {
    int block = g / width;
    number offset = offsets[block], v = y[g];
    TRACE_TERM(y, g, offsets, block, (number)1, offset, (number)0);
    TRACE_TERM(y, g, y, g, (number)1, v, offset);
    y[g] = offset + v;
    TRACE_STORE(y, g, offset + v);
  }
}
