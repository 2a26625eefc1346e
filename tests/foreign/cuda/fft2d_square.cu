// 8 x 8 points in a block of 4 x 8 threads, first along the rows, then along the columns.
#define N 8
typedef float2 cf;

__device__ __forceinline__ cf operator+(cf a, cf b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ cf operator-(cf a, cf b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ cf operator*(cf a, cf b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__constant__ float2 W8[4] = {{1.0f, 0.0f}, {0.70710678f, -0.70710678f}, {0.0f, -1.0f}, {-0.70710678f, -0.70710678f}};

// along a line of the square: the points are `stride` apart; decimation in frequency
template <typename Sync>
__device__ void line_fft(cf *line, int stride, int t, Sync sync)
{
    for (int h = N / 2, step = 1; h >= 1; h /= 2, step *= 2) {
        const int j = t % h;
        const int lo = (t / h) * 2 * h + j;
        const cf a = line[lo * stride], b = line[(lo + h) * stride];
        line[lo * stride] = a + b;
        line[(lo + h) * stride] = (a - b) * W8[j * step];
        sync();
    }
}

__global__ void fft2d(const cf *in, cf *out)
{
    __shared__ cf sq[N * N];
    const int t = threadIdx.x, line = threadIdx.y;
    const int base = blockIdx.x * N * N;
    auto sync = [] { __syncthreads(); };

    for (int i = 0; i < 2; i++)
        sq[line * N + t + 4 * i] = in[base + line * N + t + 4 * i];
    sync();
    line_fft(sq + line * N, 1, t, sync);
    line_fft(sq + line, N, t, sync);

    const int place[N] = {0, 4, 2, 6, 1, 5, 3, 7};
    for (int i = 0; i < 2; i++) {
        const int c = t + 4 * i;
        out[base + line * N + c] = sq[place[line] * N + place[c]];
    }
}
