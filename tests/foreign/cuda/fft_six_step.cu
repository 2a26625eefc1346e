// Six-step FFT of n1*n2 points: transpose, rows, twiddle, transpose, rows, transpose. `uint` as in OpenCL code that was ported.
typedef unsigned int uint;

__global__ void transpose(const float2 *src, float2 *dst, uint rows, uint cols)
{
    const uint c = blockIdx.x * blockDim.x + threadIdx.x;
    const uint r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols)
        dst[c * rows + r] = src[r * cols + c];
}

// One block a row of length L (a power of two), L/2 threads. twiddle_n != 0: multiply by w^(row * k) afterwards.
template <uint L>
__global__ void fft_rows(float2 *data, uint twiddle_n)
{
    __shared__ float2 line[L];
    float2 *row = data + blockIdx.x * L;
    const uint t = threadIdx.x;
    constexpr uint SHIFT = L == 8 ? 29 : L == 16 ? 28 : 27;
    line[__brev(t) >> SHIFT] = row[t];
    line[__brev(t + L / 2) >> SHIFT] = row[t + L / 2];
    for (uint h = 1; h < L; h <<= 1) {
        __syncthreads();
        const uint k = t & (h - 1), i = 2 * t - k;
        float s, c;
        sincospif(-1.0f * k / h, &s, &c);
        const float2 a = line[i], b = line[i + h];
        const float2 p = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
        line[i] = make_float2(a.x + p.x, a.y + p.y);
        line[i + h] = make_float2(a.x - p.x, a.y - p.y);
    }
    __syncthreads();
    for (uint k = t; k < L; k += L / 2) {
        float2 v = line[k];
        if (twiddle_n != 0) {
            float s, c;
            sincospif(-2.0f * (blockIdx.x * k) / twiddle_n, &s, &c);
            v = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
        }
        row[k] = v;
    }
}
