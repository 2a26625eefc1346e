// Whole NTT in shared memory, decimation in frequency, Montgomery form, p = 12289.
namespace mont {
constexpr unsigned P = 12289;
__device__ constexpr unsigned inverse() {           // -P^-1 mod 2^32 by Newton
  unsigned x = 1;
  for (int i = 0; i < 5; ++i) x *= 2 - P * x;
  return 0u - x;
}
constexpr unsigned NINV = inverse();
constexpr unsigned R2 = (unsigned)((((1ull << 32) % P) * ((1ull << 32) % P)) % P);

__device__ __forceinline__ unsigned mul(unsigned a, unsigned b) {
  unsigned lo = a * b, hi = __umulhi(a, b);
  unsigned m = lo * NINV;
  unsigned r = hi + __umulhi(m, P) + (lo != 0);
  return r < P ? r : r - P;
}
__device__ __forceinline__ unsigned enter(unsigned a) { return mul(a, R2); }
__device__ __forceinline__ unsigned leave(unsigned a) { return mul(a, 1); }
}  // namespace mont

template <unsigned N>
__global__ void ntt_dif(const unsigned *src, unsigned *dst, unsigned root)
{
  __shared__ unsigned s[N], w[N];
  const unsigned t = threadIdx.x;       // N/2 threads
  s[t] = mont::enter(src[t]);
  s[t + N / 2] = mont::enter(src[t + N / 2]);
  if (t == 0) {
    unsigned g = mont::enter(root), x = mont::enter(1);
    for (unsigned i = 0; i < N / 2; ++i) { w[i] = x; x = mont::mul(x, g); }
  }
  __syncthreads();

  for (unsigned h = N / 2, step = 1; h; h >>= 1, step <<= 1) {
    const unsigned k = t & (h - 1), i = 2 * t - k;
    const unsigned a = s[i], b = s[i + h];
    unsigned sum = a + b;
    s[i] = sum >= mont::P ? sum - mont::P : sum;
    s[i + h] = mont::mul(a >= b ? a - b : a + mont::P - b, w[k * step]);
    __syncthreads();
  }
  const unsigned bits = 31 - __clz(N);
  dst[__brev(t) >> (32 - bits)] = mont::leave(s[t]);
  dst[__brev(t + N / 2) >> (32 - bits)] = mont::leave(s[t + N / 2]);
}
