// Gallery: one row for a scan of Hillis and Steele. Every item adds its neighbour d to the left; whether that one has added
// already is up to the scheduler. Read before the barrier and write after it, or use two rows.

// One group of N threads.
extern "C" __global__ void scan(const int *x, int *y)
{
  __shared__ int s[N];
  int i = threadIdx.x;
  s[i] = x[i];
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
#ifdef RIGHT
    int add = i >= d ? s[i - d] : 0;
    __syncthreads();
    s[i] += add;
#else
    if (i >= d)
      s[i] += s[i - d];
#endif
    __syncthreads();
  }
  y[i] = s[i];
}
