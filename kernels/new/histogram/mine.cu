// The same histogram in CUDA C++, for NVIDIA GPUs (--runtime cuda) and for this machine's processor (--runtime host), where
// wrong indices and barriers are caught at the work-item. To write OpenCL alone, delete this file; to write CUDA alone, delete
// mine.cl.

#define BINS 256

// At least one thread a value, in blocks of any size.
extern "C" __global__ void count(const unsigned int *values, unsigned int *bins, int n)
{
  __shared__ unsigned int own[BINS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&own[values[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    if (own[b] > 0)
      atomicAdd(&bins[b], own[b]);
}
