// Reductions at the speed of memory: the last rungs of the ladder that reduce.cu begins.
//
// A group's loads are beside each other: UNROLL vectors of four numbers an item, GROUP vectors apart.
//
//   -Dnumber=int, uint or float   -Dnumber4=int4 …   -DGROUP=items of a group, a power of two   -DUNROLL=loads in flight

#include "trace_device.h"

// 7. Vectors: four numbers a load, and UNROLL loads before the first sum, so that more bytes are on their way at a time.
//
// 8. The last group, -DLAST_BLOCK: the same, but the group that finishes last adds up the sums of all, so that
// there is no second launch. A ticket tells it; the fence makes its sum visible before the ticket is drawn. `ticket` is zero at first, and again in the end.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_vector(global const number4 *restrict x, volatile global number *sums,
#ifdef LAST_BLOCK
    volatile global uint *ticket, global number *total,
#endif
    int n TRACE_PARAMS)
{
  local number nums[GROUP];
#ifdef LAST_BLOCK
  local uint place;
#endif
  int lid = get_local_id(0), step = get_num_groups(0) * GROUP * UNROLL;
  number sum = 0;
  for (int first = get_group_id(0) * GROUP * UNROLL + lid; first < n / 4; first += step) {
    number4 a[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      int i = first + u * GROUP;
      a[u] = i < n / 4 ? x[i] : (number4)(0);
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      int i = first + u * GROUP;
      if (i < n / 4) {
        TRACE_TERM(nums, lid, x, 4 * i, (number)1, a[u].x, sum);
        TRACE_TERM(nums, lid, x, 4 * i + 1, (number)1, a[u].y, sum + a[u].x);
        TRACE_TERM(nums, lid, x, 4 * i + 2, (number)1, a[u].z, sum + a[u].x + a[u].y);
        TRACE_TERM(nums, lid, x, 4 * i + 3, (number)1, a[u].w, sum + a[u].x + a[u].y + a[u].z);
      }
      sum = sum + a[u].x + a[u].y + a[u].z + a[u].w;
    }
  }
  int rest = n / 4 * 4 + lid;  // what is no whole vector
  if (get_group_id(0) == 0 && rest < n) {
    number v = ((global const number *)x)[rest];
    TRACE_TERM(nums, lid, x, rest, (number)1, v, sum);
    sum += v;
  }
  nums[lid] = sum;
  TRACE_STORE(nums, lid, sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
    TRACE_STAGE(stage);
    if (lid < s) {
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
#ifdef LAST_BLOCK
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    place = atomic_inc(ticket);
    TRACE_ATOMIC(ticket, 0, place, 1u);
    TRACE_STORE(&place, 0, place);
#endif
  }
#ifdef LAST_BLOCK
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();
  TRACE_LOAD(&place, 0, place);
  if (place == get_num_groups(0) - 1) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum = 0;
    for (int i = lid; i < get_num_groups(0); i += GROUP) {
      number v = sums[i];
      TRACE_TERM(nums, lid, sums, i, (number)1, v, sum);
      sum += v;
    }
    nums[lid] = sum;
    TRACE_STORE(nums, lid, sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();

    for (int s = GROUP / 2, stage = 1; s > 0; s /= 2, ++stage) {
      TRACE_STAGE(stage);
      if (lid < s) {
        number a = nums[lid], b = nums[lid + s];
        nums[lid] = a + b;
        TRACE_COMBINE(nums, lid, nums, lid, lid + s, a, b);
        if (s == 1) {
          *total = a + b;
          TRACE_MOVE(total, 0, nums, 0, a + b);
          *ticket = 0;
          TRACE_STORE(ticket, 0, 0u);
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      TRACE_BARRIER();
    }
  }
#endif
}
