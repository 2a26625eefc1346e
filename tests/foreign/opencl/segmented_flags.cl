/* inclusive segmented scan; pair.x value, pair.y "a head was seen" */
int2 join(int2 left, int2 right) {
  return (int2)(right.y ? right.x : left.x + right.x, left.y | right.y);
}

__kernel void segscan(__global const int *val, __global const int *rows, __global int *sums, int nseg, __local int2 *p)
{
  const int i = get_local_id(0), n = get_local_size(0);
  int head = 0;
  for (int s = 0; s < nseg; s++) head |= rows[s] == i;
  p[i] = (int2)(val[i], head);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < n; d += d) {
    int2 mine = p[i];
    if (i >= d) mine = join(p[i - d], mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < nseg) sums[i] = p[rows[i + 1] - 1].x;
}
