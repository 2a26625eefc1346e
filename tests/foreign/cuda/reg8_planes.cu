/*
 * FFT of N = 8^k points, N/8 threads, eight values a thread in registers.
 * Between passes the real parts and then the imaginary parts go through
 * the same padded floats of shared memory.
 */
#ifndef N
#define N 64
#endif

#define T      (N / 8)
#define PAD(i) ((i) + ((i) >> 3))
#define RSQRT2 0.70710678118654752f

/* a0 .. a7 come out of FFT8 in bit-reversed order */
#define REV(r) ((((r) & 1) << 2) | ((r) & 2) | (((r) & 4) >> 2))

#define EACH(r) _Pragma("unroll") for (int r = 0; r < 8; r++)

static __device__ __forceinline__ float2 mul(float2 a, float2 b)
{
	return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static __device__ __forceinline__ void FFT2(float2 &a, float2 &b)
{
	float2 t = a;
	a.x = t.x + b.x;	a.y = t.y + b.y;
	b.x = t.x - b.x;	b.y = t.y - b.y;
}

static __device__ __forceinline__ void FFT4(float2 &a, float2 &b, float2 &c, float2 &d)
{
	FFT2(a, c);
	FFT2(b, d);
	d = make_float2(d.y, -d.x);
	FFT2(a, b);
	FFT2(c, d);
}

static __device__ __forceinline__ void FFT8(float2 *a)
{
	FFT2(a[0], a[4]);
	FFT2(a[1], a[5]);
	FFT2(a[2], a[6]);
	FFT2(a[3], a[7]);
	a[5] = mul(a[5], make_float2( RSQRT2, -RSQRT2));
	a[6] = make_float2(a[6].y, -a[6].x);
	a[7] = mul(a[7], make_float2(-RSQRT2, -RSQRT2));
	FFT4(a[0], a[1], a[2], a[3]);
	FFT4(a[4], a[5], a[6], a[7]);
}

extern "C" __global__ void fft_reg8(float2 *data)
{
	__shared__ float wire[PAD(N)];
	float2 a[8], b[8];
	const int t = threadIdx.x;

	data += blockIdx.x * N;
	EACH(r) a[r] = data[t + r * T];

	for (int ns = 1; ; ns *= 8) {
		const int j = t % ns;
		EACH(r) {
			float2 w;
			sincospif(-2.0f * (r * j) / (8 * ns), &w.y, &w.x);
			a[r] = mul(a[r], w);
		}
		FFT8(a);

		const int d = (t / ns) * ns * 8 + j;
		if (8 * ns == N) {
			EACH(r) data[d + r * ns] = a[REV(r)];
			break;
		}

		EACH(r) wire[PAD(d + r * ns)] = a[REV(r)].x;
		__syncthreads();
		EACH(r) b[r].x = wire[PAD(t + r * T)];
		__syncthreads();
		EACH(r) wire[PAD(d + r * ns)] = a[REV(r)].y;
		__syncthreads();
		EACH(r) b[r].y = wire[PAD(t + r * T)];
		__syncthreads();
		EACH(r) a[r] = b[r];
	}
}
