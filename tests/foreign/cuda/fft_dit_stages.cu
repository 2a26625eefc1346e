// Iterative radix-2 decimation in time, one launch per stage.
#define PI 3.14159265358979323846f

extern "C" __global__ void bit_reverse(const float2* __restrict__ src, float2* __restrict__ dst, int logn)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int r = __brev(i) >> (32 - logn);
    dst[r] = src[i];
}

extern "C" __global__ void dit_stage(float2* x, int s)
{
    size_t tid  = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t half = (size_t)1 << (s - 1);
    size_t pos  = tid & (half - 1);
    size_t top  = ((tid >> (s - 1)) << s) + pos;
    size_t bot  = top + half;

    float sn, cs;
    sincosf(-PI * pos / half, &sn, &cs);

    float2 a = x[top];
    float2 b = x[bot];
    float2 t;
    t.x = b.x * cs - b.y * sn;
    t.y = b.x * sn + b.y * cs;

    x[top] = make_float2(a.x + t.x, a.y + t.y);
    x[bot] = make_float2(a.x - t.x, a.y - t.y);
}
