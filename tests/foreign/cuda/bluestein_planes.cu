/* Bluestein in several launches, real and imaginary parts in arrays of their own. */
#include <cuda_runtime.h>

static __device__ void chirp(int k, int n, float *c, float *s)
{
    /* e^(i pi k^2 / n), k^2 reduced modulo 2n */
    long long q = ((long long)k * k) % (2 * n);
    sincospif((float)q / n, s, c);
}

extern "C" __global__ void bz_prepare(const float *xr, const float *xi, float *ar, float *ai, float *br, float *bi, int n, int m)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= m) return;
    float c, s;
    if (k < n) {
        chirp(k, n, &c, &s);
        ar[k] = xr[k] * c + xi[k] * s;
        ai[k] = xi[k] * c - xr[k] * s;
    } else {
        ar[k] = 0.0f;
        ai[k] = 0.0f;
    }
    int d = k < n ? k : m - k;
    if (d < n) {
        chirp(d, n, &c, &s);
        br[k] = c;
        bi[k] = s;
    } else {
        br[k] = 0.0f;
        bi[k] = 0.0f;
    }
}

/* one block, m points, m/2 threads; dir = -1 or +1, no scale */
extern "C" __global__ void bz_fft(float *re, float *im, int log2m, int dir)
{
    extern __shared__ float mem[];
    const int m = 1 << log2m, t = threadIdx.x;
    float *sr = mem, *si = mem + m;

    for (int i = t; i < m; i += blockDim.x) {
        unsigned to = __brev(i) >> (32 - log2m);
        sr[to] = re[i];
        si[to] = im[i];
    }
    __syncthreads();

    for (int len = 2; len <= m; len <<= 1) {
        int h = len >> 1;
        int k = t % h;
        int a = (t / h) * len + k, b = a + h;
        float c, s;
        sincospif((float)dir * k / h, &s, &c);
        float tr = c * sr[b] - s * si[b];
        float ti = c * si[b] + s * sr[b];
        sr[b] = sr[a] - tr;
        si[b] = si[a] - ti;
        sr[a] += tr;
        si[a] += ti;
        __syncthreads();
    }

    for (int i = t; i < m; i += blockDim.x) {
        re[i] = sr[i];
        im[i] = si[i];
    }
}

extern "C" __global__ void bz_multiply(float *ar, float *ai, const float *br, const float *bi, int m)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < m) {
        float r = ar[k] * br[k] - ai[k] * bi[k];
        ai[k] = ar[k] * bi[k] + ai[k] * br[k];
        ar[k] = r;
    }
}

extern "C" __global__ void bz_finish(const float *ar, const float *ai, float *yr, float *yi, int n, int m)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) {
        float c, s;
        chirp(k, n, &c, &s);
        yr[k] = (ar[k] * c + ai[k] * s) / m;
        yi[k] = (ai[k] * c - ar[k] * s) / m;
    }
}
