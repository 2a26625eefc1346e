// 2D FFT of small images. The whole image sits in one block's shared memory, rows and columns
// are transformed in place by the same helper (line pointer + stride), decimation in time.
// ROWS, COLS (powers of two, ROWS <= COLS) come from the build.

#define THREADS (ROWS * COLS / 2)
#define PITCH (COLS + 1)

template <typename T>
__device__ constexpr T ilog2(T v) { return v <= 1 ? 0 : 1 + ilog2(v / 2); }

__device__ inline int flip(int v, int size)
{
    return __brev(v) >> (32 - ilog2(size));
}

// LEN/2 threads share a line; `t` says which of them this is.
template <int LEN>
__device__ void transform_line(float2 *line, int stride, int t, const float2 *roots)
{
    for (int span = 2; span <= LEN; span *= 2) {
        const int half = span / 2;
        const int k = t % half;
        const int top = (t / half * span + k) * stride;
        const int bottom = top + half * stride;

        const float2 w = roots[k * (COLS / span)];
        const float2 a = line[top];
        const float2 b = line[bottom];
        const float2 wb = make_float2(w.x * b.x - w.y * b.y,
                                      w.x * b.y + w.y * b.x);
        line[top] = make_float2(a.x + wb.x, a.y + wb.y);
        line[bottom] = make_float2(a.x - wb.x, a.y - wb.y);
        __syncthreads();
    }
}

__global__ void __launch_bounds__(THREADS)
fft2d_slab(const float2 *images, float2 *spectra)
{
    __shared__ float2 slab[ROWS * PITCH];
    __shared__ float2 roots[COLS / 2];

    const int tid = threadIdx.x;
    const float2 *image = images + blockIdx.x * ROWS * COLS;
    float2 *spectrum = spectra + blockIdx.x * ROWS * COLS;

    if (tid < COLS / 2)
        sincospif(-2.0f * tid / COLS, &roots[tid].y, &roots[tid].x);

    for (int i = tid; i < ROWS * COLS; i += THREADS) {
        const int y = i / COLS, x = i % COLS;
        slab[flip(y, ROWS) * PITCH + flip(x, COLS)] = image[i];
    }
    __syncthreads();

    // rows: COLS/2 threads each
    transform_line<COLS>(slab + tid / (COLS / 2) * PITCH, 1, tid % (COLS / 2), roots);

    // columns: neighbours in a warp take neighbouring columns
    transform_line<ROWS>(slab + tid % COLS, PITCH, tid / COLS, roots);

    for (int i = tid; i < ROWS * COLS; i += THREADS)
        spectrum[i] = slab[i / COLS * PITCH + i % COLS];
}
