// Prefix sums (scan): y[i] = x[0] + … + x[i], or, exclusive, without x[i] itself. Two textbook ways.
//
// A group scans its part of x in local memory and leaves the part's sum in `sums`. Where there are several groups, the sums are
// scanned the same way, and add_offsets adds to each group's part what is before it. Any n will do.
//
//   -Dnumber=int, uint or float   -DGROUP=items of a group, a power of two

#include "trace_device.h"

// 1. Hillis and Steele: in step d = 1, 2, 4, … every element adds the one d before it. log2 steps, in each of which all items
// work: n log n additions. Two halves of `nums` take turns, because an element is still read while its sum is written.
kernel void scan_hillis_steele(global const number *x, global number *y, global number *sums, int n,
                               int exclusive TRACE_PARAMS)
{
  local number nums[2 * GROUP];
  int lid = get_local_id(0), g = get_global_id(0);
  if (g < n) {
    number v = x[g];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, g, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
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
    barrier(CLK_LOCAL_MEM_FENCE);
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
      sums[get_group_id(0)] = sum;
      TRACE_MOVE(sums, get_group_id(0), nums, from + lid, sum);
    }
  }
}

// 2. Blelloch: a tree of sums, built upwards and then gone down again: 2 log2 steps, but only 2n additions. An item has two
// elements; past the end of x they are 0. Up: every right child becomes the sum of both. The root becomes 0: nothing is before all.
// Down: what is before a parent is before its left child; before its right child there is the left child's sum as well.
kernel void scan_blelloch(global const number *x, global number *y, global number *sums, int n, int exclusive TRACE_PARAMS)
{
  local number nums[2 * GROUP + 1];  // the last one keeps the sum of all
  int lid = get_local_id(0), first = get_group_id(0) * 2 * GROUP;
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
  barrier(CLK_LOCAL_MEM_FENCE);
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
    barrier(CLK_LOCAL_MEM_FENCE);
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
  barrier(CLK_LOCAL_MEM_FENCE);
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
    barrier(CLK_LOCAL_MEM_FENCE);
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
    sums[get_group_id(0)] = sum;
    TRACE_MOVE(sums, get_group_id(0), nums, 2 * GROUP, sum);
  }
}

// Adds to the scan of every group but the first, `width` elements each, the sum of all groups before it.
kernel void add_offsets(global number *y, global const number *offsets, int n, int width TRACE_PARAMS)
{
  int g = width + get_global_id(0);
  if (g < n) {
    int group = g / width;
    number offset = offsets[group], v = y[g];
    TRACE_TERM(y, g, offsets, group, (number)1, offset, (number)0);
    TRACE_TERM(y, g, y, g, (number)1, v, offset);
    y[g] = offset + v;
    TRACE_STORE(y, g, offset + v);
  }
}
