// Gallery: one row for a scan of Hillis and Steele. Every item adds its neighbour d to the left; whether that one has added
// already is up to the scheduler. Read before the barrier and write after it, or use two rows.

// One group of N items.
kernel void scan(global const int *x, global int *y)
{
  local int s[N];
  int i = get_local_id(0);
  s[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < N; d *= 2) {
#ifdef RIGHT
    int add = i >= d ? s[i - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[i] += add;
#else
    if (i >= d)
      s[i] += s[i - d];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[i] = s[i];
}
