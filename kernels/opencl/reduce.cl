// Divide-and-conquer reduction: the ladder from the first idea to a sum at the speed of memory.
//
// Every group brings its part of x into local memory, adds pairs stage by stage, and leaves one sum; the next launch sums the sums.
// The trees are equally high: the rungs differ in which elements meet in a stage, and in which item adds them. m is how many
// elements the group has: any n will do.
//
//   -Dnumber=int, uint or float   -DGROUP=items of a group, a power of two

#include "trace_device.h"

// 1. Interleaved: every second item adds, then every fourth, … Neighbours take different branches in every stage.
kernel void reduce_interleaved(global const number *x, global number *sums, int n TRACE_PARAMS)
{
  local number nums[GROUP];
  int lid = get_local_id(0), first = get_group_id(0) * GROUP;
  int m = min(GROUP, n - first);
  if (lid < m) {
    number v = x[first + lid];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, first + lid, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int i = 2, stage = 1; i <= GROUP; i *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid % i == 0 && lid + i / 2 < m) {
      number a = nums[lid], b = nums[lid + i / 2];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + i / 2, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[get_group_id(0)] = nums[0];
    TRACE_MOVE(sums, get_group_id(0), nums, 0, nums[0]);
  }
}

// 2. Strided: the first items do the work and whole sub-groups are free; but their elements are i apart, in few banks.
kernel void reduce_strided(global const number *x, global number *sums, int n TRACE_PARAMS)
{
  local number nums[GROUP];
  int lid = get_local_id(0), first = get_group_id(0) * GROUP;
  int m = min(GROUP, n - first);
  if (lid < m) {
    number v = x[first + lid];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, first + lid, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int i = 2, stage = 1; i <= GROUP; i *= 2, ++stage) {
    TRACE_STAGE(stage);
    int at = lid * i;
    if (at + i / 2 < m) {
      number a = nums[at], b = nums[at + i / 2];
      nums[at] = a + b;
      TRACE_COMBINE(nums, at, nums, at, at + i / 2, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[get_group_id(0)] = nums[0];
    TRACE_MOVE(sums, get_group_id(0), nums, 0, nums[0]);
  }
}

// 3. Sequential: item lid adds the element s further on, s half of what is left; neighbours touch neighbours.
kernel void reduce_sequential(global const number *x, global number *sums, int n TRACE_PARAMS)
{
  local number nums[GROUP];
  int lid = get_local_id(0), first = get_group_id(0) * GROUP;
  int m = min(GROUP, n - first);
  if (lid < m) {
    number v = x[first + lid];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, first + lid, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s && lid + s < m) {
      number a = nums[lid], b = nums[lid + s];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + s, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[get_group_id(0)] = nums[0];
    TRACE_MOVE(sums, get_group_id(0), nums, 0, nums[0]);
  }
}

// 4. First add: half of the items of 3 do nothing but load. Here a group has twice the elements, and the load adds two.
kernel void reduce_first_add(global const number *x, global number *sums, int n TRACE_PARAMS)
{
  local number nums[GROUP];
  int lid = get_local_id(0), first = get_group_id(0) * 2 * GROUP;
  int m = min(GROUP, n - first), g = first + lid;
  if (g + GROUP < n) {
    number a = x[g], b = x[g + GROUP];
    nums[lid] = a + b;
    TRACE_COMBINE(nums, lid, x, g, g + GROUP, a, b);
  } else if (lid < m) {
    number v = x[g];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, g, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s && lid + s < m) {
      number a = nums[lid], b = nums[lid + s];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + s, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[get_group_id(0)] = nums[0];
    TRACE_MOVE(sums, get_group_id(0), nums, 0, nums[0]);
  }
}

// 5. Unrolled: GROUP is known to the compiler, so that the loop and its counting can go: a block a stage, and what is past GROUP
// vanishes. By hand, because not every compiler unrolls a loop with a barrier in it (PoCL does not, and takes twice as long).
// OpenCL 1.2 has no barrier narrower than a group's, so that all of them stay.
kernel void reduce_unrolled(global const number *x, global number *sums, int n TRACE_PARAMS)
{
  local number nums[GROUP];
  int lid = get_local_id(0), first = get_group_id(0) * 2 * GROUP;
  int m = min(GROUP, n - first), g = first + lid;
  if (g + GROUP < n) {
    number a = x[g], b = x[g + GROUP];
    nums[lid] = a + b;
    TRACE_COMBINE(nums, lid, x, g, g + GROUP, a, b);
  } else if (lid < m) {
    number v = x[g];
    nums[lid] = v;
    TRACE_MOVE(nums, lid, x, g, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  if (GROUP >= 1024) {
    TRACE_STAGE(LOG2_GROUP - 9);
    if (lid < 512 && lid + 512 < m) {
      number a = nums[lid], b = nums[lid + 512];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 512, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 512) {
    TRACE_STAGE(LOG2_GROUP - 8);
    if (lid < 256 && lid + 256 < m) {
      number a = nums[lid], b = nums[lid + 256];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 256, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 256) {
    TRACE_STAGE(LOG2_GROUP - 7);
    if (lid < 128 && lid + 128 < m) {
      number a = nums[lid], b = nums[lid + 128];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 128, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 128) {
    TRACE_STAGE(LOG2_GROUP - 6);
    if (lid < 64 && lid + 64 < m) {
      number a = nums[lid], b = nums[lid + 64];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 64, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 64) {
    TRACE_STAGE(LOG2_GROUP - 5);
    if (lid < 32 && lid + 32 < m) {
      number a = nums[lid], b = nums[lid + 32];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 32, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 32) {
    TRACE_STAGE(LOG2_GROUP - 4);
    if (lid < 16 && lid + 16 < m) {
      number a = nums[lid], b = nums[lid + 16];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 16, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 16) {
    TRACE_STAGE(LOG2_GROUP - 3);
    if (lid < 8 && lid + 8 < m) {
      number a = nums[lid], b = nums[lid + 8];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 8, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 8) {
    TRACE_STAGE(LOG2_GROUP - 2);
    if (lid < 4 && lid + 4 < m) {
      number a = nums[lid], b = nums[lid + 4];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 4, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 4) {
    TRACE_STAGE(LOG2_GROUP - 1);
    if (lid < 2 && lid + 2 < m) {
      number a = nums[lid], b = nums[lid + 2];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 2, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
  if (GROUP >= 2) {
    TRACE_STAGE(LOG2_GROUP - 0);
    if (lid < 1 && lid + 1 < m) {
      number a = nums[lid], b = nums[lid + 1];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + 1, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[get_group_id(0)] = nums[0];
    TRACE_MOVE(sums, get_group_id(0), nums, 0, nums[0]);
  }
}

// 6. Grid stride: as many groups as the device holds; each item first adds up every total-th element in a register.
kernel void reduce_grid_stride(global const number *x, global number *sums, int n TRACE_PARAMS)
{
  local number nums[GROUP];
  int lid = get_local_id(0), total = get_num_groups(0) * GROUP;
  int m = min(GROUP, n - (int)get_group_id(0) * GROUP);
  number sum = 0;
  for (int g = get_group_id(0) * GROUP + lid; g < n; g += total) {
    number v = x[g];
    TRACE_TERM(nums, lid, x, g, (number)1, v, sum);
    sum += v;
  }
  nums[lid] = sum;
  TRACE_STORE(nums, lid, sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s && lid + s < m) {
      number a = nums[lid], b = nums[lid + s];
      nums[lid] = a + b;
      TRACE_COMBINE(nums, lid, nums, lid, lid + s, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  if (lid == 0) {
    sums[get_group_id(0)] = nums[0];
    TRACE_MOVE(sums, get_group_id(0), nums, 0, nums[0]);
  }
}
