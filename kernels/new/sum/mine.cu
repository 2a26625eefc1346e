// The same sum in CUDA C++, for NVIDIA GPUs (--runtime cuda) and for this machine's processor (--runtime host), where wrong
// indices and barriers are caught at the work-item. To write OpenCL alone, delete this file; to write CUDA alone, delete
// mine.cl.

// One thread an element, in blocks of a power of two; `scratch` has an element for each thread of a block.
extern "C" __global__ void sum(const float *in, float *out, int n)
{
  extern __shared__ float scratch[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  scratch[l] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half_size = blockDim.x / 2; half_size > 0; half_size /= 2) {
    if (l < half_size)
      scratch[l] += scratch[l + half_size];
    __syncthreads();
  }
  if (l == 0)
    out[blockIdx.x] = scratch[0];
}
