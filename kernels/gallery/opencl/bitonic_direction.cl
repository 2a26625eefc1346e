// Gallery: a sort's direction from the wrong bit. Runs of `size` elements are sorted up and down in turn, by the bit of `size`
// in the index; the bit of the stride changes within a run.

// One group of N/2 items.
kernel void bitonic(global const int *x, global int *y)
{
  local int s[N];
  int t = get_local_id(0);
  s[t] = x[t];
  s[t + N / 2] = x[t + N / 2];
  for (int size = 2; size <= N; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int i = 2 * t - t % stride;
#ifdef RIGHT
      bool up = (i & size) == 0;
#else
      bool up = (i & (2 * stride)) == 0;
#endif
      int a = s[i], b = s[i + stride];
      if ((a > b) == up) {
        s[i] = b;
        s[i + stride] = a;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  y[t] = s[t];
  y[t + N / 2] = s[t + N / 2];
}
