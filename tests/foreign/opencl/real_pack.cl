/* Real FFT of n points. The real array IS the complex array, seen through a cast. */
__kernel void half_fft(__global float *real_in, __global float2 *z, __local float2 *s, int h)
{
    __global const float2 *c = (__global const float2 *)real_in;
    int i = get_local_id(0);
    int bits = 31 - clz(h);
    int r = 0;
    for (int b = 0; b < bits; b++)
        r = (r << 1) | ((i >> b) & 1);
    s[r] = c[i];
    for (int len = 1; len < h; len <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float2 lo, hi;
        int k = i & (len - 1), a = 0;
        if (i < h / 2) {
            a = 2 * i - k;
            float t = -(float)k / len;
            float2 w = (float2)(cospi(t), sinpi(t));
            hi = s[a + len];
            hi = (float2)(hi.x * w.x - hi.y * w.y, hi.x * w.y + hi.y * w.x);
            lo = s[a];
            s[a] = lo + hi;
            s[a + len] = lo - hi;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    z[i] = s[i];
}

__kernel void unpack(__global const float2 *z, __global float2 *X, int h)
{
    int k = get_global_id(0);
    if (k > h) return;
    float2 a = z[k % h], b = z[(h - k) % h];
    b.y = -b.y;
    float2 even = 0.5f * (a + b);
    float2 odd = 0.5f * (float2)(a.y - b.y, b.x - a.x);
    float t = -(float)k / h;
    float2 w = (float2)(cospi(t), sinpi(t));
    X[k] = even + (float2)(odd.x * w.x - odd.y * w.y, odd.x * w.y + odd.y * w.x);
}
