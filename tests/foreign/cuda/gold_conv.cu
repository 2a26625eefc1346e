// Cyclic convolution of two integer sequences by number theoretic transforms
// modulo the "Goldilocks" prime 2^64 - 2^32 + 1. No bit reversal anywhere:
// forward by decimation in frequency, back by decimation in time.

typedef unsigned long long u64;

namespace gold {

constexpr u64 P = 0xFFFFFFFF00000001ull;
constexpr u64 EPS = 0xFFFFFFFFull;  // 2^64 mod P

__device__ u64 add(u64 a, u64 b) { return a >= P - b ? a - (P - b) : a + b; }
__device__ u64 sub(u64 a, u64 b) { return a >= b ? a - b : a + (P - b); }

__device__ u64 mul(u64 a, u64 b)
{
    const u64 lo = a * b, hi = __umul64hi(a, b);
    const u64 hh = hi >> 32, hl = hi & EPS;
    u64 t = lo - hh;
    if (lo < hh) t -= EPS;
    const u64 m = hl * EPS;
    u64 r = t + m;
    if (r < m) r += EPS;
    return r >= P ? r - P : r;
}

__device__ u64 power(u64 base, u64 e)
{
    u64 r = 1;
    for (; e; e >>= 1, base = mul(base, base))
        if (e & 1) r = mul(r, base);
    return r;
}

}  // namespace gold

extern "C" __global__ void make_roots(u64 *root, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) root[i] = gold::power(gold::power(7, (gold::P - 1) / n), i);
}

// block 0 transforms a, block 1 transforms b; the spectra lie one behind the other
extern "C" __global__ void forward(const u64 *a, const u64 *b, u64 *spectra, const u64 *root, int n)
{
    extern __shared__ u64 s[];
    const u64 *from = blockIdx.x == 0 ? a : b;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = from[i];
    __syncthreads();

    for (int half = n / 2; half >= 1; half /= 2) {
        for (int g = threadIdx.x; g < n / 2; g += blockDim.x) {
            const int j = g % half, lo = g / half * 2 * half + j, hi = lo + half;
            const u64 u = s[lo], v = s[hi];
            s[lo] = gold::add(u, v);
            s[hi] = gold::mul(gold::sub(u, v), root[j * (n / (2 * half))]);
        }
        __syncthreads();
    }

    for (int i = threadIdx.x; i < n; i += blockDim.x) spectra[blockIdx.x * n + i] = s[i];
}

extern "C" __global__ void product_back(const u64 *spectra, u64 *c, const u64 *root, int n)
{
    extern __shared__ u64 s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = gold::mul(spectra[i], spectra[n + i]);
    __syncthreads();

    for (int half = 1; half < n; half *= 2) {
        for (int g = threadIdx.x; g < n / 2; g += blockDim.x) {
            const int j = g % half, lo = g / half * 2 * half + j, hi = lo + half;
            const u64 u = s[lo];
            const u64 v = gold::mul(s[hi], root[(n - j * (n / (2 * half))) % n]);
            s[lo] = gold::add(u, v);
            s[hi] = gold::sub(u, v);
        }
        __syncthreads();
    }

    const u64 inverse_n = gold::power(n, gold::P - 2);
    for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = gold::mul(s[i], inverse_n);
}

// small inputs: nothing ever reaches the modulus
extern "C" __global__ void schoolbook(const u64 *a, const u64 *b, u64 *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[(i - k + n) % n];
    c[i] = sum;
}
