// A sum of yours to change: each group adds its part in local memory, and the second launch adds the groups' sums.
// mine.toml says what it runs on.
//
//   twiddle check mine.toml      runs it, and says what is wrong or wasteful
//   twiddle view mine.toml       shows it; save this file, and the window traces again
//   twiddle verify mine.toml     compares the outcome with the sum in double precision

// One work-item an element, in groups of a power of two; `scratch` has an element for each item of a group.
kernel void sum(global const float *in, global float *out, int n, local float *scratch)
{
  int i = get_global_id(0), l = get_local_id(0);
  scratch[l] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (l < half_size)
      scratch[l] += scratch[l + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = scratch[0];
}
