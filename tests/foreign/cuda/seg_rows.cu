// Segmented sum, a quarter warp per segment: lanes stride through it, then a tree of shuffles of width 8.
__global__ void seg_rows(const float *vals, const int *offsets, float *sums, int segments)
{
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  const int seg = id / 8, lane = id % 8;
  float acc = 0;
  if (seg < segments) {
    const int begin = offsets[seg], end = offsets[seg + 1];
    for (int i = begin + lane; i < end; i += 8) acc += vals[i];
  }
  for (int d = 4; d; d >>= 1)
    acc += __shfl_down_sync(0xffffffffu, acc, d, 8);
  if (lane == 0 && seg < segments) sums[seg] = acc;
}

// Histogram of how long the segments are: one bin a length, longer ones in the last; shared bins, then global ones.
__global__ void length_histogram(const int *lengths, int *bins, int n, int nbins)
{
  extern __shared__ int mine[];
  for (int b = threadIdx.x; b < nbins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[min(max(lengths[i], 0), nbins - 1)], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < nbins; b += blockDim.x)
    if (mine[b]) atomicAdd(&bins[b], mine[b]);
}
