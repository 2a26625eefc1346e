// Bitonic sort of a block's keys in shared memory, one compare-exchange per thread and step.
template <typename K>
__device__ __forceinline__ void exchange(K &a, K &b, bool up)
{
  if ((a > b) == up) { K t = a; a = b; b = t; }
}

template <typename K, int SIZE>
__global__ void __launch_bounds__(SIZE / 2) bitonic(K *keys)
{
  __shared__ K s[SIZE];
  const int t = threadIdx.x;
  keys += (size_t)blockIdx.x * SIZE;
  s[t] = keys[t];
  s[t + SIZE / 2] = keys[t + SIZE / 2];

  for (int run = 2; run <= SIZE; run <<= 1) {
    for (int stride = run >> 1; stride > 0; stride >>= 1) {
      __syncthreads();
      const int pos = 2 * t - (t & (stride - 1));
      exchange(s[pos], s[pos + stride], (pos & run) == 0);
    }
  }
  __syncthreads();
  keys[t] = s[t];
  keys[t + SIZE / 2] = s[t + SIZE / 2];
}
