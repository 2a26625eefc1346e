// 256 = 16 x 16. Sixteen threads, sixteen points each; one exchange.
struct cfloat
{
    float x, y;
    __device__ cfloat() {}
    __device__ cfloat(float r, float i) : x(r), y(i) {}
    __device__ cfloat operator+(const cfloat& o) const { return cfloat(x + o.x, y + o.y); }
    __device__ cfloat operator-(const cfloat& o) const { return cfloat(x - o.x, y - o.y); }
    __device__ cfloat operator*(const cfloat& o) const { return cfloat(x * o.x - y * o.y, x * o.y + y * o.x); }
    __device__ cfloat& operator*=(const cfloat& o) { *this = *this * o; return *this; }
};

__device__ cfloat root(int k, int n)
{
    cfloat w;
    sincospif(-2.0f * k / n, &w.y, &w.x);
    return w;
}

template <int R>
struct Dft
{
    static __device__ void run(cfloat* v, int stride)
    {
        // even/odd split, recursion ends at two points
        cfloat e[R / 2], o[R / 2];
#pragma unroll
        for (int i = 0; i < R / 2; i++) { e[i] = v[2 * i * stride]; o[i] = v[(2 * i + 1) * stride]; }
        Dft<R / 2>::run(e, 1);
        Dft<R / 2>::run(o, 1);
#pragma unroll
        for (int i = 0; i < R / 2; i++)
        {
            cfloat t = o[i] * root(i, R);
            v[i * stride] = e[i] + t;
            v[(i + R / 2) * stride] = e[i] - t;
        }
    }
};

template <>
struct Dft<1>
{
    static __device__ void run(cfloat*, int) {}
};

constexpr int ROWS = 16;
constexpr int PITCH = 17;

__global__ void fft256(float2* io)
{
    __shared__ float tile_re[ROWS * PITCH];
    __shared__ float tile_im[ROWS * PITCH];
    int t = threadIdx.x;
    int base = 256 * (blockIdx.x * blockDim.y + threadIdx.y);
    cfloat r[16];

    for (int i = 0; i < 16; i++) { float2 q = io[base + i * 16 + t]; r[i] = cfloat(q.x, q.y); }
    Dft<16>::run(r, 1);
    for (int i = 1; i < 16; i++) r[i] *= root(i * t, 256);

    for (int i = 0; i < 16; i++) { tile_re[i * PITCH + t] = r[i].x; tile_im[i * PITCH + t] = r[i].y; }
    __syncthreads();
    for (int i = 0; i < 16; i++) r[i] = cfloat(tile_re[t * PITCH + i], tile_im[t * PITCH + i]);

    Dft<16>::run(r, 1);
    for (int i = 0; i < 16; i++) io[base + i * 16 + t] = make_float2(r[i].x, r[i].y);
}
