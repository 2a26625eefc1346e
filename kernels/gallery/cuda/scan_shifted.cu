// Gallery: an inclusive scan where an exclusive one is wanted. Element i of an exclusive scan is the sum of what is before it;
// here x[i] is in it already.

// One group of N threads.
extern "C" __global__ void scan(const int *x, int *y)
{
  __shared__ int s[N];
  int i = threadIdx.x;
  s[i] = x[i];
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
    int add = i >= d ? s[i - d] : 0;
    __syncthreads();
    s[i] += add;
    __syncthreads();
  }
#ifdef RIGHT
  y[i] = i > 0 ? s[i - 1] : 0;
#else
  y[i] = s[i];
#endif
}
