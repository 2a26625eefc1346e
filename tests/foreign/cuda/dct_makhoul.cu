// DCT-II of n points through one complex FFT of n points (Makhoul 1980).
namespace {
constexpr float kPi = 3.14159265358979f;
__device__ inline float2 polar(float a) { float2 r; __sincosf(a, &r.y, &r.x); return r; }
}

extern "C" __global__ void dct2_fft(const float* x, float* y, int n)
{
    extern __shared__ float2 v[];
    const int t = threadIdx.x;            // n threads
    const int lg = __popc(n - 1);

    // even samples forwards, odd samples backwards, in bit-reversed places
    const int from = t < n / 2 ? 2 * t : 2 * (n - 1 - t) + 1;
    v[__brev(t) >> (32 - lg)] = make_float2(x[from], 0.f);
    __syncthreads();

    for (int m = 2; m <= n; m *= 2) {
        const int h = m / 2;
        const bool lower = (t % m) < h;
        const int partner = lower ? t + h : t - h;
        const float2 mine = v[t], theirs = v[partner];
        const float2 w = polar(-2 * kPi * (t % h) / m);
        __syncthreads();
        if (lower) v[t] = make_float2(mine.x + w.x * theirs.x - w.y * theirs.y, mine.y + w.x * theirs.y + w.y * theirs.x);
        else       v[t] = make_float2(theirs.x - (w.x * mine.x - w.y * mine.y), theirs.y - (w.x * mine.y + w.y * mine.x));
        __syncthreads();
    }

    const float2 w = polar(-kPi * t / (2 * n));
    y[t] = v[t].x * w.x - v[t].y * w.y;
}
