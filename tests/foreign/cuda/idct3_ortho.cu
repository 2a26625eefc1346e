// Inverse DCT of rows, orthonormal (scipy.fft.idct(X, norm="ortho")), after Makhoul:
// turn the coefficients into the spectrum of the reordered row, go back by a complex FFT, undo the order.
// blockDim.x = N/2, one block per row, 2*N complex numbers of dynamic shared memory.

#define PI 3.14159265358979323846
#define CMUL(o, a, b) do { double2 t_; t_.x = (a).x*(b).x - (a).y*(b).y; t_.y = (a).x*(b).y + (a).y*(b).x; (o) = t_; } while (0)
#define CADD(o, a, b) do { (o).x = (a).x + (b).x; (o).y = (a).y + (b).y; } while (0)
#define CSUB(o, a, b) do { (o).x = (a).x - (b).x; (o).y = (a).y - (b).y; } while (0)
#define EXPI(o, phi)  sincos((phi), &(o).y, &(o).x)

extern __shared__ double2 work[];

// C[k] of the transform without any factor but 2; there is nothing at k = N
__device__ double coefficient(const double *X, int k, int N)
{
    if (k == N) return 0.0;
    return X[k] * sqrt(k == 0 ? 4.0 * N : 2.0 * N);
}

__device__ void load_spectrum(double2 *V, const double *X, int N)
{
    for (int k = threadIdx.x; k < N; k += blockDim.x) {
        double2 c, w;
        c.x =  0.5 * coefficient(X, k, N);
        c.y = -0.5 * coefficient(X, N - k, N);
        EXPI(w, PI * k / (2 * N));
        CMUL(V[k], c, w);
    }
}

// unnormalised backward FFT, Stockham; returns where the result is
__device__ double2 *backward(double2 *from, double2 *to, int N)
{
    for (int m = N / 2, s = 1; m >= 1; m /= 2, s *= 2) {
        const int p = threadIdx.x / s;
        const int q = threadIdx.x % s;
        const double2 *in = from + q + s * p;
        double2 *out = to + q + 2 * s * p;
        double2 a = in[0], b = in[s * m], w, d;
        EXPI(w, PI * p / m);
        CADD(out[0], a, b);
        CSUB(d, a, b);
        CMUL(out[s], d, w);
        __syncthreads();
        double2 *tmp = from; from = to; to = tmp;
    }
    return from;
}

__global__ void idct_rows(const double *coeffs, double *rows, int N)
{
    load_spectrum(work, coeffs + blockIdx.x * N, N);
    __syncthreads();
    const double2 *v = backward(work, work + N, N);
    double *x = rows + blockIdx.x * N;
    const double scale = 1.0 / N;
    const int t = threadIdx.x;
    x[2 * t]     = scale * v[t].x;
    x[2 * t + 1] = scale * v[N - 1 - t].x;
}

// x[i] = sqrt(1/N) X[0] + sqrt(2/N) sum_k X[k] cos(pi (2i+1) k / 2N)
__global__ void idct_slow(const double *coeffs, double *rows, int N)
{
    const double *X = coeffs + blockIdx.x * N;
    const int i = threadIdx.x;
    double acc = X[0] / sqrt(2.0);
    for (int k = 1; k < N; k++)
        acc += X[k] * cos(PI * ((2 * i + 1) * k % (4 * N)) / (2 * N));
    rows[blockIdx.x * N + i] = acc * sqrt(2.0 / N);
}
