#define SCALE_LAST 1

__kernel void ifft(__global const float2 *X, __global float2 *x, __local float2 *buf, const int N)
{
    const int i = get_local_id(0);
    int rev = 0;
    for (int m = 1, q = N >> 1; m < N; m <<= 1, q >>= 1)
        if (i & m)
            rev += q;
    buf[rev] = X[i].yx;

    for (int span = 1; span < N; span *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int pos = i % (2 * span);
        float2 mine = buf[i];
        float2 other = buf[i ^ span];
        barrier(CLK_LOCAL_MEM_FENCE);
        const float a = -M_PI_F * (pos % span) / span;
        const float2 w = (float2)(cos(a), sin(a));
        float2 hi = pos < span ? other : mine;
        float2 lo = pos < span ? mine : other;
        hi = (float2)(hi.x * w.x - hi.y * w.y, hi.x * w.y + hi.y * w.x);
        buf[i] = pos < span ? lo + hi : lo - hi;
    }
#if SCALE_LAST
    x[i] = buf[i].yx * (1.0f / N);
#else
    x[i] = buf[i].yx;
#endif
}
