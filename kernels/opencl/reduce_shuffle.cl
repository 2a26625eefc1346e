// Divide-and-conquer reduction by shuffles: lanes of a sub-group take each other's registers, and local memory has a sum of each
// sub-group.
//
// Each item adds two numbers while it loads. Then stages halve the distance from 16 to 1: lane l adds the register of lane
// l + s, which a shuffle brings without memory or a barrier of the group. Lane 0 of a sub-group leaves the sub-group's sum in
// local memory, and the first sub-group adds those up in the same way. m is how many sums the group begins with: any n will do.
//
// Where the device has no shuffles, or narrower sub-groups, the same registers change hands through `turn`, in local memory. So
// they do in a group of two items, for whose shuffles PoCL 6 calls a function that it does not have.
//
//   -Dnumber=int, uint or float   -DGROUP=items of a group, a power of two   -DLOG2_GROUP

#include "trace_device.h"

#if defined(cl_khr_subgroup_shuffle) && GROUP > 2
#define SHUFFLES
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#endif

#define WARP (GROUP < 32 ? GROUP : 32)
#define LOG2_WARP (LOG2_GROUP < 5 ? LOG2_GROUP : 5)
#define WARPS (GROUP / WARP)

// The v of the item that is s further on; one's own where that is past the group. All items of the group take part.
number shuffled_down(number v, int s, local number *turn)
{
  int lid = get_local_id(0), from = lid + s < GROUP ? lid + s : lid;
#ifdef SHUFFLES
  // All lanes shuffle, also where it is of no use: a shuffle behind a condition is one that some compilers end at.
  uint lane = get_sub_group_local_id();
  number b = sub_group_shuffle(v, lane + s < get_sub_group_size() ? lane + s : lane);
  if (get_max_sub_group_size() % WARP == 0) return b;
#endif
  turn[lid] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  v = turn[from];
  barrier(CLK_LOCAL_MEM_FENCE);
  return v;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_shuffle(global const number *x, global number *sums, int n TRACE_PARAMS)
{
  local number nums[WARPS], turn[GROUP];
  number v[1];
  v[0] = 0;
  int lid = get_local_id(0), lane = lid % WARP, first = get_group_id(0) * 2 * GROUP;
  int m = min(GROUP, n - first), g = first + lid;
  if (g + GROUP < n) {
    number a = x[g], b = x[g + GROUP];
    v[0] = a + b;
    TRACE_COMBINE(v, 0, x, g, g + GROUP, a, b);
  } else if (lid < m) {
    v[0] = x[g];
    TRACE_MOVE(v, 0, x, g, v[0]);
  }

  for (int s = WARP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    number b = shuffled_down(v[0], s, turn);
    TRACE_BARRIER();
    TRACE_STAGE(stage);
    if (lane < s && lid + s < m) {
      number a = v[0];
      v[0] = a + b;
      TRACE_COMBINE(v, 0, v, 0, TRACE_OF_ITEM(lid + s, 0), a, b);
    }
  }

  if (WARPS > 1) {
    if (lane == 0 && lid < m) {
      nums[lid / WARP] = v[0];
      TRACE_MOVE(nums, lid / WARP, v, 0, v[0]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
    TRACE_STAGE(0);
    int left = (m + WARP - 1) / WARP;
    if (lid < left) {
      v[0] = nums[lid];
      TRACE_MOVE(v, 0, nums, lid, v[0]);
    }

    for (int s = WARPS / 2, stage = LOG2_WARP + 1; s > 0; s /= 2, ++stage) {
      number b = shuffled_down(v[0], s, turn);
      TRACE_BARRIER();
      TRACE_STAGE(stage);
      if (lid < s && lid + s < left) {
        number a = v[0];
        v[0] = a + b;
        TRACE_COMBINE(v, 0, v, 0, TRACE_OF_ITEM(lid + s, 0), a, b);
      }
    }
  }

  if (lid == 0) {
    sums[get_group_id(0)] = v[0];
    TRACE_MOVE(sums, get_group_id(0), v, 0, v[0]);
  }
}
