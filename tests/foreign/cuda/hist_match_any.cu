// Histogram aggregated in the warp: lanes with the same bin elect a leader who adds for all.
__global__ void histogram_match(const int *data, int *bins, int n)
{
  const int step = gridDim.x * blockDim.x;
  const int rounds = (n + step - 1) / step;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r, i += step) {
    const bool have = i < n;
    const int bin = have ? data[i] : -1;
    const unsigned peers = __match_any_sync(0xffffffffu, bin);
    const int leader = __ffs(peers) - 1;
    if (have && (threadIdx.x & 31) == leader)
      atomicAdd(&bins[bin], __popc(peers));
  }
}
