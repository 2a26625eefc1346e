// A thread a row: even and odd halves of an 8-point DCT-II in arrays of the thread's own.
typedef float row_t[8];

template <int N>
__device__ __forceinline__ void project(const float (&half)[N], int k, int odd, float &to)
{
    float acc = 0.0f;
#pragma unroll
    for (int n = 0; n < N; ++n)
        acc += half[n] * cospif((2 * n + 1) * (2 * k + odd) / 16.0f);
    to = acc;
}

__device__ void split(const float *x, float *even, float *odd)
{
    for (int n = 0; n < 4; n++) {
        even[n] = x[n] + x[7 - n];
        odd[n] = x[n] - x[7 - n];
    }
}

extern "C" __global__ void dct8(const float *__restrict__ pixels, float *__restrict__ coeff, int rows)
{
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
        row_t x, y;
        float even[4], odd[4];
        for (int n = 0; n < 8; n++) x[n] = pixels[8 * r + n];
        split(x, even, odd);
        for (int k = 0; k < 4; k++) {
            project(even, k, 0, y[2 * k]);
            project(odd, k, 1, y[2 * k + 1]);
        }
        for (int k = 0; k < 8; k += 4)
            *reinterpret_cast<float4 *>(coeff + 8 * r + k) = make_float4(y[k], y[k + 1], y[k + 2], y[k + 3]);
    }
}
