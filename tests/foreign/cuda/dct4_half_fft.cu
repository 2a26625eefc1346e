/*
 * DCT-IV of n real points by one complex FFT of n/2 points:
 *   X[k] = sum x[j] cos(pi/n (j + 1/2)(k + 1/2))
 * Fold, rotate, transform, rotate, unfold. One block, n/4 threads.
 */
__device__ inline float2 cmul(const float2 &a, const float2 &b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// e^(-i pi num / den)
__device__ inline float2 rot(int num, int den)
{
    float2 w;
    sincospif((float)num / den, &w.y, &w.x);
    w.y = -w.y;
    return w;
}

__device__ void dif_butterfly(float2 &p, float2 &q, float2 w)
{
    float2 d = make_float2(p.x - q.x, p.y - q.y);
    p = make_float2(p.x + q.x, p.y + q.y);
    q = cmul(d, w);
}

extern "C" __global__ void dct4(const float *x, float *X, int n)
{
    extern __shared__ float2 z[];
    const int m = n / 2;
    const int tid = threadIdx.x;

    for (int j = tid; j < m; j += blockDim.x)
        z[j] = cmul(make_float2(x[2 * j], x[n - 1 - 2 * j]), rot(4 * j + 1, 4 * n));
    __syncthreads();

    int half = m / 2;
    while (half > 0) {
        int k = tid % half;
        int i = 2 * half * (tid / half) + k;
        dif_butterfly(z[i], z[i + half], rot(k, half));
        __syncthreads();
        half /= 2;
    }

    const int shift = 1 + __clz(m);
    for (int k = tid; k < m; k += blockDim.x) {
        float2 y = cmul(z[__brev(k) >> shift], rot(k, n));
        X[2 * k] = y.x;
        X[n - 1 - 2 * k] = -y.y;
    }
}

// The definition.
extern "C" __global__ void dct4_slow(const float *x, float *X, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    double acc = 0.0;
    for (int j = 0; j < n; j++)
        acc += x[j] * cospi((2 * j + 1) * (2 * k + 1) / (4.0 * n));
    X[k] = (float)acc;
}
