// FIR filter by overlap-save: blocks of 64 points overlap by taps - 1, filtered in the frequency domain.
#include <cuda_runtime.h>

#define NFFT 64
#define HALF (NFFT / 2)
#define TWO_PI 6.28318530717958647692f

typedef float2 Complex;

static __device__ __constant__ const float SCALE = 1.0f / NFFT;

static __device__ inline Complex ComplexMul(Complex a, Complex b)
{
	Complex c;
	c.x = a.x * b.x - a.y * b.y;
	c.y = a.x * b.y + a.y * b.x;
	return c;
}

// Stockham, radix 2; the result is in the array that is returned. dir: -1 forward, +1 backward
static __device__ Complex *FFT64(Complex *from, Complex *to, int dir)
{
	const int t = threadIdx.x;
	for (int ns = 1; ns < NFFT; ns *= 2) {
		const int j = t % ns;
		Complex w;
		sincosf(dir * TWO_PI * j / (2 * ns), &w.y, &w.x);
		const Complex u = from[t];
		const Complex v = ComplexMul(from[t + HALF], w);
		const int d = 2 * (t - j) + j;
		to[d] = make_float2(u.x + v.x, u.y + v.y);
		to[d + ns] = make_float2(u.x - v.x, u.y - v.y);
		__syncthreads();
		Complex *tmp = from; from = to; to = tmp;
	}
	return from;
}

extern "C" __global__ void filterSpectrum(const float *h, Complex *H, int taps)
{
	__shared__ Complex a[NFFT], b[NFFT];
	for (int i = threadIdx.x; i < NFFT; i += blockDim.x)
		a[i] = make_float2(i < taps ? h[i] : 0.0f, 0.0f);
	__syncthreads();
	const Complex *s = FFT64(a, b, -1);
	H[threadIdx.x] = s[threadIdx.x];
	H[threadIdx.x + HALF] = s[threadIdx.x + HALF];
}

extern "C" __global__ void overlapSave(const float *x, const Complex *H, float *y, int n, int taps)
{
	__shared__ Complex a[NFFT], b[NFFT];
	const int keep = NFFT - (taps - 1);            // good points of each block
	const int first = blockIdx.x * keep - (taps - 1);

	for (int i = threadIdx.x; i < NFFT; i += HALF) {
		const int g = first + i;
		a[i].x = (g >= 0 && g < n) ? x[g] : 0.0f;
		a[i].y = 0.0f;
	}
	__syncthreads();

	Complex *s = FFT64(a, b, -1);
	Complex *free = s == a ? b : a;
	for (int i = threadIdx.x; i < NFFT; i += HALF)
		s[i] = ComplexMul(s[i], H[i]);
	__syncthreads();

	s = FFT64(s, free, +1);
	for (int i = threadIdx.x; i < NFFT; i += HALF) {
		const int g = first + i;
		if (i >= taps - 1 && g < n)
			y[g] = s[i].x * SCALE;
	}
}
