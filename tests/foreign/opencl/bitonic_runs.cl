// Bitonic sort: runs of 2*WG keys in local memory first, then steps over global memory, then local again.
#ifndef WG
#define WG 4
#endif

inline void order(int *a, int *b, int ascending)
{
  if ((*a > *b) == ascending) { int t = *a; *a = *b; *b = t; }
}

kernel void sort_runs(global int *keys)
{
  local int run[2 * WG];
  const int t = get_local_id(0);
  const int first = get_group_id(0) * 2 * WG;
  run[t] = keys[first + t];
  run[t + WG] = keys[first + t + WG];
  for (int size = 2; size <= 2 * WG; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const int at = 2 * t - (t & (stride - 1));
      int a = run[at], b = run[at + stride];
      const int where = first + at;
      order(&a, &b, (where & size) == 0);
      run[at] = a;
      run[at + stride] = b;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[first + t] = run[t];
  keys[first + t + WG] = run[t + WG];
}

kernel void merge_step(global int *keys, int size, int stride)
{
  const int t = get_global_id(0);
  const int at = 2 * t - (t & (stride - 1));
  int a = keys[at], b = keys[at + stride];
  order(&a, &b, (at & size) == 0);
  keys[at] = a;
  keys[at + stride] = b;
}
