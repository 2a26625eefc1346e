// Inverse FFT of rows, radix 2, decimation in time. One block per row, n/2 threads.
// Dynamic shared memory: n points followed by n/2 roots of unity.
#include <cuda_runtime.h>

struct cplx {
    float re, im;
};

__device__ inline cplx operator+(cplx a, cplx b) { return {a.re + b.re, a.im + b.im}; }
__device__ inline cplx operator-(cplx a, cplx b) { return {a.re - b.re, a.im - b.im}; }
__device__ inline cplx operator*(cplx a, cplx b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ inline cplx operator*(float s, cplx a) { return {s * a.re, s * a.im}; }

__device__ unsigned reverse_bits(unsigned v, int bits)
{
    unsigned r = 0;
    while (bits--) {
        r = (r << 1) | (v & 1);
        v >>= 1;
    }
    return r;
}

extern "C" __global__ void ifft_rows(const cplx *in, cplx *out, int n, int log_n)
{
    extern __shared__ cplx sh[];
    cplx *data = sh;
    cplx *root = sh + n;
    const int t = threadIdx.x;
    const int half_n = n / 2;

    in += blockIdx.x * n;
    out += blockIdx.x * n;

    // every thread brings in two points and works out one root
    data[reverse_bits(t, log_n)] = in[t];
    data[reverse_bits(t + half_n, log_n)] = in[t + half_n];
    const float phi = 2.0f * 3.14159265358979f * t / n;
    root[t] = {cosf(phi), sinf(phi)};
    __syncthreads();

    for (int m = 1; m < n; m <<= 1) {
        const int j = t & (m - 1);
        const int a = ((t - j) << 1) + j;
        const int b = a + m;

        const cplx w = root[j * (half_n / m)];
        const cplx u = data[a];
        const cplx v = w * data[b];
        data[a] = u + v;
        data[b] = u - v;
        __syncthreads();
    }

    const float scale = 1.0f / n;
    for (int i = t; i < n; i += half_n)
        out[i] = scale * data[i];
}
