// Split-complex data behind a small view class.
struct SplitView
{
    float *re;
    float *im;
    __device__ SplitView(float *r, float *i) : re(r), im(i) {}
    __device__ float2 load(int i) const { return make_float2(re[i], im[i]); }
    __device__ void store(int i, float2 v) { re[i] = v.x; im[i] = v.y; }
};

__device__ __forceinline__ float2 cmul(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

extern "C" __global__ void dif_pass(float *re, float *im, int n, int half)
{
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= n / 2) return;
    SplitView z(re, im);
    const int k = g % half;
    const int i = (g / half) * 2 * half + k;
    const int j = i + half;
    float s, c;
    sincospif(-(float)k / half, &s, &c);
    const float2 a = z.load(i), b = z.load(j);
    z.store(i, make_float2(a.x + b.x, a.y + b.y));
    z.store(j, cmul(make_float2(a.x - b.x, a.y - b.y), make_float2(c, s)));
}

extern "C" __global__ void unscramble(float *re, float *im, int bits)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned j = __brev(i) >> (32 - bits);
    if (j <= i) return;
    SplitView z(re, im);
    const float2 a = z.load(i), b = z.load(j);
    z.store(i, b);
    z.store(j, a);
}
