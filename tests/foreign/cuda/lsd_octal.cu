// lsd radix sort, three bits a pass: count, scan, scatter. a block has BS keys, one per thread
#define BS 64
#define BITS 3
#define NDIG (1 << BITS)

__device__ int digit_of(unsigned key, int shift) { return key >> shift & (NDIG - 1); }

extern "C" __global__ void count_digits(const unsigned *key, unsigned *hist, int n, int shift)
{
  __shared__ unsigned cnt[NDIG];
  const int t = threadIdx.x, i = blockIdx.x * BS + t;
  if (t < NDIG) cnt[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&cnt[digit_of(key[i], shift)], 1u);
  __syncthreads();
  // digit major: all blocks' zeros come before the first one
  if (t < NDIG) hist[t * gridDim.x + blockIdx.x] = cnt[t];
}

// exclusive, in place, by one warp that walks over the array
extern "C" __global__ void scan_hist(unsigned *hist, int m)
{
  const int lane = threadIdx.x;
  unsigned carry = 0;
  for (int b = 0; b < m; b += 32) {
    const int i = b + lane;
    const unsigned v = i < m ? hist[i] : 0;
    unsigned s = v;
    for (int d = 1; d < 32; d <<= 1) {
      unsigned u = __shfl_up_sync(~0u, s, d);
      if (lane >= d) s += u;
    }
    if (i < m) hist[i] = carry + s - v;
    carry += __shfl_sync(~0u, s, 31);
  }
}

extern "C" __global__ void scatter(const unsigned *key, unsigned *out, const unsigned *start, int n, int shift)
{
  __shared__ unsigned char dig[BS];
  const int t = threadIdx.x, i = blockIdx.x * BS + t;
  const unsigned k = i < n ? key[i] : 0;
  const int d = i < n ? digit_of(k, shift) : NDIG;  // NDIG: nobody's digit
  dig[t] = d;
  __syncthreads();
  unsigned rank = 0;
  for (int j = 0; j < t; j++)
    rank += dig[j] == d;
  if (i < n)
    out[start[d * gridDim.x + blockIdx.x] + rank] = k;
}
