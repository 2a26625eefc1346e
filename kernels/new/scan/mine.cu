// The same scan in CUDA C++, for NVIDIA GPUs (--runtime cuda) and for this machine's processor (--runtime host), where wrong
// indices and barriers are caught at the work-item. To write OpenCL alone, delete this file; to write CUDA alone, delete
// mine.cl.

// N threads in one block; `sums` has two rows of N, one to read and one to write, so that a barrier a step is enough.
extern "C" __global__ void scan(const float *in, float *out)
{
  extern __shared__ float sums[];
  int i = threadIdx.x, n = blockDim.x;
  float *from = sums, *to = sums + n;
  from[i] = in[i];
  __syncthreads();
  for (int distance = 1; distance < n; distance *= 2) {
    to[i] = i >= distance ? from[i - distance] + from[i] : from[i];
    __syncthreads();
    float *other = from;
    from = to;
    to = other;
  }
  out[i] = from[i];
}
