/* LSD radix sort, two bits a pass.
 *
 * The four counters of a work-item are packed into one ulong, 16 bits each, so that one
 * Kogge-Stone scan ranks all four digits at once.
 *
 *   rank_blocks    rank of each key among the same digits of its block, totals of the block
 *   scan_totals    where each (digit, block) starts: digit-major exclusive sums
 *   scatter_keys   move
 */

#define FIELD(packed, d)  ((uint)((packed) >> (16 * (d))) & 0xffffu)

__kernel void rank_blocks(__global const uint *keys, __global uint *ranks, __global uint *totals,
                          __local ulong *s, uint shift, uint n)
{
  size_t gid = get_global_id(0);
  uint   l = get_local_id(0), size = get_local_size(0);
  uint   nblocks = get_num_groups(0), block = get_group_id(0);
  bool   live = gid < n;
  uint   digit = live ? keys[gid] >> shift & 3u : 0u;
  ulong  one = live ? 1ul << (16 * digit) : 0ul;

  s[l] = one;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 1; d < size; d <<= 1) {
    ulong left = l >= d ? s[l - d] : 0ul;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (live)
    ranks[gid] = FIELD(s[l] - one, digit);
  if (l < 4)
    totals[l * nblocks + block] = FIELD(s[size - 1], l);
}

__kernel void scan_totals(__global uint *totals, uint count)
{
  uint run = 0;
  for (uint i = 0; i < count; i++) {
    uint t = totals[i];
    totals[i] = run;
    run += t;
  }
}

__kernel void scatter_keys(__global const uint *keys, __global const uint *ranks, __global const uint *starts,
                           __global uint *sorted, uint shift, uint n)
{
  size_t gid = get_global_id(0);
  if (gid >= n)
    return;
  uint key = keys[gid];
  uint digit = key >> shift & 3u;
  sorted[starts[digit * get_num_groups(0) + get_group_id(0)] + ranks[gid]] = key;
}
