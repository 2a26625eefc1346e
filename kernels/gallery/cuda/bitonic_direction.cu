// Gallery: a sort's direction from the wrong bit. Runs of `size` elements are sorted up and down in turn, by the bit of `size`
// in the index; the bit of the stride changes within a run.

// One block of N/2 threads.
extern "C" __global__ void bitonic(const int *x, int *y)
{
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = x[t];
  s[t + N / 2] = x[t + N / 2];
  for (int size = 2; size <= N; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int i = 2 * t - t % stride;
#ifdef RIGHT
      bool up = (i & size) == 0;
#else
      bool up = (i & (2 * stride)) == 0;
#endif
      int a = s[i], b = s[i + stride];
      if ((a > b) == up) {
        s[i] = b;
        s[i + stride] = a;
      }
    }
  __syncthreads();
  y[t] = s[t];
  y[t + N / 2] = s[t + N / 2];
}
