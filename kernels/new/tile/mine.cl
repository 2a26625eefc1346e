// A filter of yours to change: out[i] is the sum of taps[k] · in[i + 2 − k], of a tile of the input that a group keeps in local
// memory, with a halo of two elements on either side. mine.toml says what it runs on.
//
//   twiddle check mine.toml      runs it, and says what is wrong or wasteful
//   twiddle view mine.toml       shows it; save this file, and the window traces again
//   twiddle verify mine.toml     compares the outcome with a convolution in double precision

#define HALO 2
#define TAPS (2 * HALO + 1)

// At least one work-item an element, in groups of TILE.
kernel void filter(global const float *in, constant float *taps, global float *out, int n)
{
  local float tile[TILE + 2 * HALO];
  int l = get_local_id(0), first = get_group_id(0) * TILE - HALO;
  for (int t = l; t < TILE + 2 * HALO; t += TILE) {
    int i = first + t;
    tile[t] = i >= 0 && i < n ? in[i] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0);
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < TAPS; k++)
    sum += taps[k] * tile[l + 2 * HALO - k];
  out[i] = sum;
}
