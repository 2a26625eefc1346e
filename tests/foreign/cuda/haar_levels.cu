// All levels of the orthonormal Haar wavelet in one block (after the old SDK sample's idea, own code).
#define INV_SQRT_2 0.70710678118654752f

extern "C" __global__ void haar(const float *signal, float *coef, const unsigned int length)
{
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  s[tid] = signal[tid];
  s[tid + blockDim.x] = signal[tid + blockDim.x];
  __syncthreads();

  for (unsigned int pairs = length / 2; pairs > 0; pairs >>= 1)
  {
    float avg = 0.f, det = 0.f;
    if (tid < pairs)
    {
      const float l = s[2 * tid], r = s[2 * tid + 1];
      avg = (l + r) * INV_SQRT_2;
      det = (l - r) * INV_SQRT_2;
    }
    __syncthreads();
    if (tid < pairs)
    {
      s[tid] = avg;
      coef[pairs + tid] = det;
    }
    __syncthreads();
  }
  if (tid == 0) coef[0] = s[0];
}
