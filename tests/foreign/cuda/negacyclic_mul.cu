#include <stdint.h>
// Products in Z_q[x] / (x^n + 1), q = 7681, by a negacyclic NTT with merged psi powers
// (Cooley-Tukey forward, natural -> bit-reversed; Gentleman-Sande back). One block a product.

namespace ring
{
  constexpr uint32_t Q = 7681;
  constexpr uint32_t MU = (uint32_t)((1ull << 32) / Q);
  constexpr int MAX_N = 64;

  __device__ inline uint32_t mul(uint32_t a, uint32_t b)
  {
    uint32_t p = a * b;
    uint32_t r = p - __umulhi(p, MU) * Q;     // Barrett, at most one too few
    return r >= Q ? r - Q : r;
  }
  __device__ inline uint32_t add(uint32_t a, uint32_t b)
  {
    uint32_t s = a + b;
    return s >= Q ? s - Q : s;
  }
  __device__ inline uint32_t sub(uint32_t a, uint32_t b)
  {
    return a >= b ? a - b : a + Q - b;
  }
  __device__ inline uint32_t pow(uint32_t b, uint32_t e)
  {
    uint32_t r = 1;
    for (; e; e >>= 1, b = mul(b, b))
      if (e & 1) r = mul(r, b);
    return r;
  }
}

// zeta[i] = psi^bitrev(i), izeta[i] = psi^-bitrev(i)
__global__ void make_zetas(uint16_t* zeta, uint16_t* izeta, int logn, uint32_t psi)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t e = __brev(i) >> (32 - logn);
  uint32_t z = ring::pow(psi, e);
  zeta[i] = z;
  izeta[i] = ring::pow(z, ring::Q - 2);
}

__device__ void forward(uint16_t* a, const uint16_t* zeta, int n)
{
  const int b = threadIdx.x;
  for (int m = 1, t = n / 2; m < n; m *= 2, t /= 2) {
    int i = b / t;
    int j = 2 * i * t + b % t;
    uint32_t u = a[j];
    uint32_t v = ring::mul(a[j + t], zeta[m + i]);
    a[j] = ring::add(u, v);
    a[j + t] = ring::sub(u, v);
    __syncthreads();
  }
}

__device__ void backward(uint16_t* a, const uint16_t* izeta, int n)
{
  const int b = threadIdx.x;
  for (int h = n / 2, t = 1; h >= 1; h /= 2, t *= 2) {
    int i = b / t;
    int j = 2 * i * t + b % t;
    uint32_t u = a[j];
    uint32_t v = a[j + t];
    a[j] = ring::add(u, v);
    a[j + t] = ring::mul(ring::sub(u, v), izeta[h + i]);
    __syncthreads();
  }
}

__global__ void polymul(const uint16_t* f, const uint16_t* g, uint16_t* h,
                        const uint16_t* zeta, const uint16_t* izeta, int n)
{
  __shared__ uint16_t sf[ring::MAX_N], sg[ring::MAX_N];
  const int off = blockIdx.x * n, b = threadIdx.x;

  sf[b] = f[off + b];
  sf[b + n / 2] = f[off + b + n / 2];
  sg[b] = g[off + b];
  sg[b + n / 2] = g[off + b + n / 2];
  __syncthreads();

  forward(sf, zeta, n);
  forward(sg, zeta, n);
  sf[b] = ring::mul(sf[b], sg[b]);
  sf[b + n / 2] = ring::mul(sf[b + n / 2], sg[b + n / 2]);
  __syncthreads();
  backward(sf, izeta, n);

  const uint32_t inv_n = ring::pow(n, ring::Q - 2);
  h[off + b] = ring::mul(sf[b], inv_n);
  h[off + b + n / 2] = ring::mul(sf[b + n / 2], inv_n);
}

// schoolbook, one coefficient a thread
__global__ void schoolbook(const uint16_t* f, const uint16_t* g, uint16_t* h, int n)
{
  int k = threadIdx.x;
  f += blockIdx.x * n;
  g += blockIdx.x * n;
  long long acc = 0;
  for (int i = 0; i < n; i++) {
    int j = k - i;
    if (j >= 0) acc += (long long)f[i] * g[j];
    else        acc -= (long long)f[i] * g[j + n];
  }
  acc %= 7681;
  h[blockIdx.x * n + k] = acc < 0 ? acc + 7681 : acc;
}
