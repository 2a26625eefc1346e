#include <cstdint>
/* Multiplication in Z_3329[X]/(X^n+1) the way ML-KEM does it: the NTT stops at polynomials of degree one,
 * signed Montgomery arithmetic on int16_t, zetas in Montgomery form. One block per product, n/2 threads. */

#define KYBER_Q    3329
#define QINV      -3327        /* q^-1 mod 2^16 */
#define MONT       2285        /* 2^16 mod q    */
#define MAXN       256

static __device__ int16_t montgomery_reduce(int32_t a)
{
	int16_t t = (int16_t)a * QINV;
	return (a - (int32_t)t * KYBER_Q) >> 16;
}

static __device__ int16_t barrett_reduce(int16_t a)
{
	const int16_t v = ((1 << 26) + KYBER_Q / 2) / KYBER_Q;
	int16_t t = ((int32_t)v * a + (1 << 25)) >> 26;
	return a - t * KYBER_Q;
}

static __device__ int16_t fqmul(int16_t a, int16_t b) { return montgomery_reduce((int32_t)a * b); }

/* zetas[i] = 2^16 * root^brv(i), centred */
extern "C" __global__ void init_zetas(int16_t *zetas, int root, int bits)
{
	const int i = threadIdx.x;
	int e = __brev(i) >> (32 - bits);
	int z = MONT;
	while (e-- > 0)
		z = z * root % KYBER_Q;
	zetas[i] = z > KYBER_Q / 2 ? z - KYBER_Q : z;
}

static __device__ void ntt(int16_t *r, const int16_t *zetas, int n)
{
	const int tid = threadIdx.x;
	for (int len = n / 2; len >= 2; len >>= 1) {
		const int g = tid / len;
		const int j = 2 * g * len + tid % len;
		const int16_t t = fqmul(zetas[n / (2 * len) + g], r[j + len]);
		r[j + len] = r[j] - t;
		r[j] = r[j] + t;
		__syncthreads();
	}
	r[2 * tid] = barrett_reduce(r[2 * tid]);
	r[2 * tid + 1] = barrett_reduce(r[2 * tid + 1]);
}

static __device__ void invntt(int16_t *r, const int16_t *zetas, int n)
{
	const int tid = threadIdx.x;
	for (int len = 2; len <= n / 2; len <<= 1) {
		const int g = tid / len;
		const int j = 2 * g * len + tid % len;
		const int16_t t = r[j];
		r[j] = barrett_reduce(t + r[j + len]);
		r[j + len] = fqmul(zetas[n / len - 1 - g], r[j + len] - t);
		__syncthreads();
	}
}

/* (a0 + a1 X)(b0 + b1 X) mod X^2 - zeta */
static __device__ void basemul(int16_t *r, const int16_t *a, const int16_t *b, int16_t zeta)
{
	int16_t lo = fqmul(fqmul(a[1], b[1]), zeta) + fqmul(a[0], b[0]);
	int16_t hi = fqmul(a[0], b[1]) + fqmul(a[1], b[0]);
	r[0] = lo;
	r[1] = hi;
}

extern "C" __global__ void poly_mul(const int16_t *f, const int16_t *g, int16_t *h,
                                    const int16_t *zetas, int n, int finish)
{
	__shared__ int16_t a[MAXN], b[MAXN];
	const int tid = threadIdx.x, half = n / 2;
	const int off = blockIdx.x * n;

	for (int k = tid; k < n; k += half) {
		a[k] = f[off + k];
		b[k] = g[off + k];
	}
	__syncthreads();
	ntt(a, zetas, n);
	ntt(b, zetas, n);
	const int16_t z = zetas[n / 4 + tid / 2];
	basemul(&a[2 * tid], &a[2 * tid], &b[2 * tid], tid % 2 ? -z : z);
	__syncthreads();
	invntt(a, zetas, n);
	for (int k = tid; k < n; k += half) {
		int16_t c = fqmul(a[k], finish);
		h[off + k] = c < 0 ? c + KYBER_Q : c;
	}
}

extern "C" __global__ void poly_mul_naive(const int16_t *f, const int16_t *g, int16_t *h, int n)
{
	const int k = threadIdx.x, off = blockIdx.x * n;
	int s = 0;
	for (int i = 0; i < n; i++)
		s += (i <= k ? 1 : -1) * f[off + i] * g[off + (k - i + n) % n];
	s %= KYBER_Q;
	h[off + k] = s < 0 ? s + KYBER_Q : s;
}
