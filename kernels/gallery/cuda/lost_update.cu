// Gallery: a counter without an atomic operation. Of two items that read a bin, add one and write it back at the same time, one
// is lost.

// N threads.
extern "C" __global__ void count(const unsigned int *values, unsigned int *bins)
{
  unsigned int bin = values[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef RIGHT
  atomicAdd(&bins[bin], 1);
#else
  bins[bin] = bins[bin] + 1;
#endif
}
