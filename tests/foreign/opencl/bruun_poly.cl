/*
 * Real DFT by Bruun's factorisation (G. Bruun, "z-transform DFT filters and FFTs", 1978).
 *
 * z^N - 1 is split into real factors only:
 *     z^2M - 1             = (z^M - 1) (z^M + 1)
 *     z^4K - 2cos(t) z^2K + 1 = (z^2K - s z^K + 1) (z^2K + s z^K + 1),   s = 2 cos(t/2)
 * Residues replace the polynomial in place; block 0 is always the one modulo z^B - 1.
 */
#define TWO_COS_HALF(t, N)   (2.0f * cospi((float)(t) / (float)(N)))

/* Angle of block b as a number of bins: pi/2 for block 1, then t/2 for the left child, pi - t/2 for the right one. */
static int bin_of_block(int b, int N)
{
    int t = N / 4;
    int bit = 31 - clz(b);
    while (--bit >= 0)
        t = ((b >> bit) & 1) ? N / 2 - t / 2 : t / 2;
    return t;
}

/* one level: every block of B residues becomes two blocks of B/2; N/4 work-items */
__kernel void bruun_level(__global float *p, const int N, const int B)
{
    const int K = B / 4;
    const int g = get_global_id(0);
    const int b = g / K;
    __global float *q = p + b * B + g % K;

    const float q0 = q[0], q1 = q[K], q2 = q[2*K], q3 = q[3*K];
    if (b == 0) {
        q[0]   = q0 + q2;
        q[K]   = q1 + q3;
        q[2*K] = q0 - q2;
        q[3*K] = q1 - q3;
        return;
    }

    const float s = TWO_COS_HALF(bin_of_block(b, N), N);
    const float even = q0 - q2;
    const float odd  = q1 + (s*s - 1.0f) * q3;
    q[0]   = even - s * q3;
    q[K]   = odd  + s * q2;
    q[2*K] = even + s * q3;
    q[3*K] = odd  - s * q2;
}

/* c0 + c1 z at z = exp(-i t): one bin for each block of two, two for block 0 */
__kernel void bruun_bins(__global const float *p, __global float2 *X, const int N)
{
    const int b = get_global_id(0);
    const float c0 = p[2*b], c1 = p[2*b + 1];
    if (b == 0) {
        X[0]   = (float2)(c0 + c1, 0.0f);
        X[N/2] = (float2)(c0 - c1, 0.0f);
    } else {
        const int k = bin_of_block(b, N);
        float c;
        float s = sincos(2.0f * M_PI_F * k / N, &c);
        X[k] = (float2)(c0 + c1 * c, -c1 * s);
    }
}
