// n real points as n/2 complex ones, then untangle.
#define TWO_PI_F 6.283185307179586f

__global__ void half_fft(const float *x, float2 *z, int m)
{
	extern __shared__ float2 sh[];
	const float2 *xc = reinterpret_cast<const float2 *>(x);
	int t = threadIdx.x;
	int bits = 31 - __clz(m);

	sh[__brev((unsigned)t) >> (32 - bits)] = xc[t];
	sh[__brev((unsigned)(t + m / 2)) >> (32 - bits)] = xc[t + m / 2];
	__syncthreads();

	for (int h = 1; h < m; h += h) {
		int k = t & (h - 1), i = ((t & ~(h - 1)) << 1) | k;
		float sn, cs;
		sincosf(-TWO_PI_F * k / (2 * h), &sn, &cs);
		float2 p = sh[i], q = sh[i + h];
		float2 r = {q.x * cs - q.y * sn, q.x * sn + q.y * cs};
		sh[i] = {p.x + r.x, p.y + r.y};
		sh[i + h] = {p.x - r.x, p.y - r.y};
		__syncthreads();
	}
	z[t] = sh[t];
	z[t + m / 2] = sh[t + m / 2];
}

__global__ void untangle(const float2 *z, float2 *X, int m)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k > m)
		return;
	float2 a = z[k % m];
	float2 b = z[(m - k) % m];
	b.y = -b.y;
	float2 even = make_float2(0.5f * (a.x + b.x), 0.5f * (a.y + b.y));
	float2 odd = make_float2(0.5f * (a.y - b.y), -0.5f * (a.x - b.x));
	float sn, cs;
	sincosf(-TWO_PI_F * k / (2 * m), &sn, &cs);
	X[k] = make_float2(even.x + odd.x * cs - odd.y * sn, even.y + odd.x * sn + odd.y * cs);
}
