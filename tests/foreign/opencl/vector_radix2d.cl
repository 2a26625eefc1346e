/*
 * 2D FFT of a square image with vector radix 2x2 butterflies:
 * rows and columns advance together, four points at a time.
 */
typedef float2 cplx;

static cplx turned(cplx z, float turns)
{
    const float c = cospi(2.0f * turns), s = sinpi(2.0f * turns);
    return (cplx)(z.x * c + z.y * s, z.y * c - z.x * s);
}

static uint flip(uint v, uint bits)
{
    uint r = 0;
    while (bits--) {
        r = (r << 1) | (v & 1u);
        v >>= 1;
    }
    return r;
}

__kernel void vr2x2(__global const cplx *img, __global cplx *spec, __local cplx *T, const uint log2n)
{
    const uint n = 1u << log2n, half_n = n >> 1;
    const uint cx = get_local_id(0), cy = get_local_id(1);

    /* each item brings one point of every quadrant */
    for (uint q = 0; q < 4; ++q) {
        const uint x = cx + (q & 1u) * half_n;
        const uint y = cy + (q >> 1) * half_n;
        T[flip(y, log2n) * n + flip(x, log2n)] = img[y * n + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint h = 1; h < n; h <<= 1) {
        const uint kx = cx & (h - 1);
        const uint ky = cy & (h - 1);
        const uint at = (2 * cy - ky) * n + 2 * cx - kx;
        const float ax = (float)kx / (2 * h);
        const float ay = (float)ky / (2 * h);

        const cplx a = T[at];
        const cplx b = turned(T[at + h], ax);
        const cplx c = turned(T[at + h * n], ay);
        const cplx d = turned(T[at + h * n + h], ax + ay);

        T[at] = (a + b) + (c + d);
        T[at + h] = (a - b) + (c - d);
        T[at + h * n] = (a + b) - (c + d);
        T[at + h * n + h] = (a - b) - (c - d);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint q = 0; q < 4; ++q) {
        const uint p = (cy + (q >> 1) * half_n) * n + cx + (q & 1u) * half_n;
        spec[p] = T[p];
    }
}
