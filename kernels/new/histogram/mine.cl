// A histogram of yours to change: each group counts in local memory, then adds its counters to the total.
// mine.toml says what it runs on.
//
//   twiddle check mine.toml      runs it, and says what is wrong or wasteful
//   twiddle view mine.toml       shows it; save this file, and the window traces again
//   twiddle verify mine.toml     compares the outcome with the counts

#define BINS 256

// At least one work-item a value, in groups of any size.
kernel void count(global const uint *values, volatile global uint *bins, int n)
{
  local uint own[BINS];
  int i = get_global_id(0);
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
    own[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n)
    atomic_inc(&own[values[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
    if (own[b] > 0)
      atomic_add(&bins[b], own[b]);
}
