// Gallery: half a sample. A cosine transform looks at the middles of its samples, cos(π/N (n + ½) k); without the half it is
// another transform, and its inverse does not give the points back.

// A thread a coefficient.
extern "C" __global__ void dct(const float *x, float *X)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int n = 0; n < N; n++)
#ifdef RIGHT
    sum += x[n] * cospif((2 * n + 1) * k % (4 * N) / (2.0f * N));
#else
    sum += x[n] * cospif(2 * n * k % (4 * N) / (2.0f * N));
#endif
  X[k] = sum;
}
