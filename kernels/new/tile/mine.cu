// The same filter in CUDA C++, for NVIDIA GPUs (--runtime cuda) and for this machine's processor (--runtime host), where wrong
// indices and barriers are caught at the work-item. To write OpenCL alone, delete this file; to write CUDA alone, delete
// mine.cl.

#define HALO 2
#define TAPS (2 * HALO + 1)

// At least one thread an element, in blocks of TILE.
extern "C" __global__ void filter(const float *in, const float *taps, float *out, int n)
{
  __shared__ float tile[TILE + 2 * HALO];
  int l = threadIdx.x, first = blockIdx.x * TILE - HALO;
  for (int t = l; t < TILE + 2 * HALO; t += TILE) {
    int i = first + t;
    tile[t] = i >= 0 && i < n ? in[i] : 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < TAPS; k++)
    sum += taps[k] * tile[l + 2 * HALO - k];
  out[i] = sum;
}
