// irfft along the last axis, like numpy.fft.irfft(X, n): n/2+1 complex in, n real out, scaled by 1/n.
// Packs into a complex transform of m = n/2 points. One block per row, m/2 threads.

#define MAX_M 64
#define PI_D 3.14159265358979323846

typedef double2 zd;

static __device__ zd zmul(zd a, zd b)  { zd r; r.x = a.x*b.x - a.y*b.y; r.y = a.x*b.y + a.y*b.x; return r; }
static __device__ zd zconj(zd a)       { a.y = -a.y; return a; }
static __device__ zd zadd(zd a, zd b)  { a.x += b.x; a.y += b.y; return a; }
static __device__ zd zsub(zd a, zd b)  { a.x -= b.x; a.y -= b.y; return a; }
static __device__ zd zpolar(double phi){ zd r; sincos(phi, &r.y, &r.x); return r; }

static __device__ int reversed(int v, int bits)
{
	int r = 0;
	while (bits-- > 0) {
		r = (r << 1) | (v & 1);
		v >>= 1;
	}
	return r;
}

extern "C" __global__ void irfft_rows(const zd *spectrum, double *signal, int n, int log2m)
{
	__shared__ zd z[MAX_M];
	const int m = n / 2;
	const zd *X = spectrum + blockIdx.x * (m + 1);
	double *x = signal + blockIdx.x * n;

	/* Z[k] = E[k] + i O[k] */
	for (int k = threadIdx.x; k < m; k += blockDim.x) {
		zd a = X[k];
		zd b = X[m - k];
		if (k == 0) {            /* what is imaginary in these two is not looked at */
			a.y = 0;
			b.y = 0;
		}
		b = zconj(b);
		zd even = zadd(a, b);
		zd odd = zmul(zsub(a, b), zpolar(2 * PI_D * k / n));
		zd packed;
		packed.x = 0.5 * (even.x - odd.y);
		packed.y = 0.5 * (even.y + odd.x);
		z[reversed(k, log2m)] = packed;
	}
	__syncthreads();

	for (int half = 1; half < m; half *= 2) {
		const int t = threadIdx.x;
		const int j = t & (half - 1);
		const int lo = 2 * (t - j) + j;
		const int hi = lo + half;
		const zd u = z[lo];
		const zd v = zmul(z[hi], zpolar(PI_D * j / half));
		z[lo] = zadd(u, v);
		z[hi] = zsub(u, v);
		__syncthreads();
	}

	const double scale = 1.0 / m;
	for (int k = threadIdx.x; k < m; k += blockDim.x) {
		x[2 * k] = scale * z[k].x;
		x[2 * k + 1] = scale * z[k].y;
	}
}

/* the definition, a sample a thread */
extern "C" __global__ void irfft_slow(const zd *spectrum, double *signal, int n)
{
	const int t = threadIdx.x, bins = n / 2 + 1;
	const zd *S = &spectrum[blockIdx.x * bins];
	double sum = S[0].x + (t % 2 ? -S[n / 2].x : S[n / 2].x);
	for (int f = 1; f < n / 2; f++) {
		double angle = 2 * PI_D * (f * t % n) / n;
		sum += 2 * (S[f].x * cos(angle) - S[f].y * sin(angle));
	}
	signal[blockIdx.x * n + t] = sum / n;
}
