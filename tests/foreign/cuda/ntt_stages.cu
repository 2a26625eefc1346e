// Number-theoretic transform mod 998244353 = 119 * 2^23 + 1, Barrett products with __umulhi.
typedef unsigned int uint32;
typedef unsigned long long uint64;
#define MOD 998244353u

__device__ uint32 add_mod(uint32 a, uint32 b) { uint32 s = a + b; return s >= MOD ? s - MOD : s; }
__device__ uint32 sub_mod(uint32 a, uint32 b) { return a >= b ? a - b : a + MOD - b; }

// Shoup: w' = floor(w 2^32 / MOD) is known, one high product and one correction.
__device__ uint32 mul_shoup(uint32 a, uint32 w, uint32 wp)
{
    uint32 q = __umulhi(a, wp);
    uint32 r = a * w - q * MOD;
    return r >= MOD ? r - MOD : r;
}

__device__ uint32 pow_mod(uint32 b, uint32 e)
{
    uint64 r = 1, x = b;
    for (; e; e >>= 1) {
        if (e & 1) r = r * x % MOD;
        x = x * x % MOD;
    }
    return (uint32)r;
}

extern "C" __global__ void permute(const uint32 *in, uint32 *out, uint32 bits)
{
    uint32 i = threadIdx.x + blockDim.x * blockIdx.x;
    out[__brev(i) >> (32u - bits)] = in[i];
}

extern "C" __global__ void ntt_stage(uint32 *a, uint32 n, uint32 len, uint32 root)
{
    uint32 t = threadIdx.x + blockDim.x * blockIdx.x;
    uint32 half = len / 2;
    uint32 j = t % half;
    uint32 i = t / half * len + j;

    uint32 w = pow_mod(root, n / len * j);
    uint32 wp = (uint32)(((uint64)w << 32) / MOD);

    uint32 u = a[i];
    uint32 v = mul_shoup(a[i + half], w, wp);
    a[i] = add_mod(u, v);
    a[i + half] = sub_mod(u, v);
}
