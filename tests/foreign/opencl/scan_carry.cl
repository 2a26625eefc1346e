/* Inclusive prefix sums of any length by one work-group: Kogge-Stone on a row, the total is carried to the next row. */
__kernel void scan_long(__global const uint *v, __global uint *sums, __local uint *row, uint n)
{
  uint me = get_local_id(0), w = get_local_size(0);
  uint carry = 0;

  for (uint base = 0; base < n; base += w) {
    uint at = base + me;
    uint flip = 0;
    row[me] = at < n ? v[at] : 0u;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint d = 1; d < w; d += d) {
      uint x = row[flip * w + me];
      if (me >= d) x += row[flip * w + me - d];
      flip ^= 1;
      row[flip * w + me] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (at < n) sums[at] = carry + row[flip * w + me];
    carry += row[flip * w + w - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
