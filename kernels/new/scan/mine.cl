// A scan of yours to change: out[i] is the sum of in[0] to in[i], by the method of Hillis and Steele in one group.
// mine.toml says what it runs on.
//
//   twiddle check mine.toml      runs it, and says what is wrong or wasteful
//   twiddle view mine.toml       shows it; save this file, and the window traces again
//   twiddle verify mine.toml     compares the outcome with a scan in double precision

// N work-items in one group; `sums` has two rows of N, one to read and one to write, so that a barrier a step is enough.
kernel void scan(global const float *in, global float *out, local float *sums)
{
  int i = get_local_id(0), n = get_local_size(0);
  local float *from = sums, *to = sums + n;
  from[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < n; distance *= 2) {
    to[i] = i >= distance ? from[i - distance] + from[i] : from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    local float *other = from;
    from = to;
    to = other;
  }
  out[i] = from[i];
}
