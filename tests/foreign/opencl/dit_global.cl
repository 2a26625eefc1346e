/* Cooley-Tukey, textbook version. First shuffle, then log2(N) passes. */

static float2 cmul(float2 a, float2 b)
{
    return (float2)(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x);
}

__kernel void shuffle_bits(__global float2 *data, const uint logn)
{
    uint i = get_global_id(0);
    uint j = 0;
    for (uint b = 0, t = i; b < logn; ++b, t >>= 1)
        j = (j << 1) | (t & 1);
    if (j > i) {
        float2 tmp = data[i];
        data[i] = data[j];
        data[j] = tmp;
    }
}

__kernel void butterfly(__global float2 *data, const uint half_len)
{
    uint tid = get_global_id(0);
    uint k   = tid & (half_len - 1);
    uint top = ((tid - k) << 1) + k;
    uint bot = top + half_len;
    float s, c;
    s = sincos(-M_PI_F * k / half_len, &c);
    float2 u = data[top];
    float2 v = cmul(data[bot], (float2)(c, s));
    data[top] = u + v;
    data[bot] = u - v;
}
