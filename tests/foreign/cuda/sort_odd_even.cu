// Odd-even transposition until nothing moves, detected with __syncthreads_or.
extern "C" __global__ void odd_even(int *g, int n)
{
  extern __shared__ int v[];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) v[i] = g[i];
  __syncthreads();

  int moved;
  do {
    moved = 0;
    for (int phase = 0; phase < 2; ++phase) {
      const int i = 2 * t + phase;
      if (i + 1 < n && v[i] > v[i + 1]) {
        const int x = v[i];
        v[i] = v[i + 1];
        v[i + 1] = x;
        moved = 1;
      }
      __syncthreads();
    }
  } while (__syncthreads_or(moved));

  for (int i = t; i < n; i += blockDim.x) g[i] = v[i];
}
