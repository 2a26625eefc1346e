/* FFT of the rows of a matrix, four points at a time, decimation in frequency.
   A row is a group's; the digits come out reversed and are put right on the way home. */
#define TWO_PI 6.283185307179586f

inline float2 times(float2 p, float2 q) { return (float2)(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x); }
inline float2 minus_i(float2 p) { return (float2)(p.y, -p.x); }

int digits_reversed(int v, int digits)
{
    int r = 0;
    while (digits-- > 0) {
        r = 4 * r + (v & 3);
        v >>= 2;
    }
    return r;
}

__kernel void fft_rows(__global const float2 *in, __global float2 *out, __local float2 *z, int n, int digits)
{
    const int me = get_local_id(0), row = get_group_id(0), quarter = n / 4;
    in += row * n;
    out += row * n;

    for (int q = 0; q < 4; ++q)
        z[me + q * quarter] = in[me + q * quarter];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int len = n; len >= 4; len /= 4) {
        const int hop = len / 4;
        const int j = me % hop;
        const int base = (me / hop) * len + j;

        const float2 a = z[base], b = z[base + hop], c = z[base + 2 * hop], d = z[base + 3 * hop];
        const float2 s0 = a + c, s1 = a - c, s2 = b + d, s3 = minus_i(b - d);

        const float turn = -TWO_PI * j / len;
        const float2 w1 = (float2)(cos(turn), sin(turn));
        const float2 w2 = times(w1, w1);
        const float2 w3 = times(w2, w1);

        z[base] = s0 + s2;
        z[base + hop] = times(s1 + s3, w1);
        z[base + 2 * hop] = times(s0 - s2, w2);
        z[base + 3 * hop] = times(s1 - s3, w3);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int q = 0; q < 4; ++q) {
        const int at = me + q * quarter;
        out[digits_reversed(at, digits)] = z[at];
    }
}
