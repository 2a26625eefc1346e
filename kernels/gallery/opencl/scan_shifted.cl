// Gallery: an inclusive scan where an exclusive one is wanted. Element i of an exclusive scan is the sum of what is before it;
// here x[i] is in it already.

// One group of N items.
kernel void scan(global const int *x, global int *y)
{
  local int s[N];
  int i = get_local_id(0);
  s[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < N; d *= 2) {
    int add = i >= d ? s[i - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[i] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#ifdef RIGHT
  y[i] = i > 0 ? s[i - 1] : 0;
#else
  y[i] = s[i];
#endif
}
