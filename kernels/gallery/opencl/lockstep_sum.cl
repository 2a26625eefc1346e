// Gallery: lanes that are believed to go in step. The last six rounds of a sum are done without barriers, because 32 items were
// once a warp that executed one instruction together; no language promises that.

// One group of 64 items.
kernel void sum(global const int *x, global int *total)
{
  local int s[64];
  int l = get_local_id(0), mine = 0;
  for (int i = l; i < N; i += 64)
    mine += x[i];
  s[l] = mine;
  for (int d = 32; d > 0; d /= 2) {
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    if (d == 32)
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (l < d)
      s[l] += s[l + d];
  }
  if (l == 0)
    total[0] = s[0];
}
