// Radix-8 DIF, in place, one launch per pass; each work-item owns one 8-point butterfly. n is a power of 8.
typedef float2 cf;

inline cf cmul(cf a, cf b) { return (cf)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline cf rot90(cf a) { return (cf)(a.y, -a.x); }                 /* times -i */

constant float SQH = 0.70710678118654752f;

__kernel void pass8(__global cf *data, const uint len)
{
    const uint id = get_global_id(0);
    const uint q = len >> 3;
    const uint j = id % q, block = id / q;
    __global cf *p = data + block * len + j;

    cf v[8];
    for (uint r = 0; r < 8; ++r) v[r] = p[r * q];

    // layer 1: distance 4
    for (uint r = 0; r < 4; ++r) {
        cf s = v[r] + v[r + 4], d = v[r] - v[r + 4];
        v[r] = s;
        v[r + 4] = d;
    }
    v[5] = SQH * (v[5] + rot90(v[5]));
    v[6] = rot90(v[6]);
    v[7] = SQH * (rot90(v[7]) - v[7]);

    // layer 2: distance 2
    for (uint h = 0; h < 8; h += 4)
        for (uint r = h; r < h + 2; ++r) {
            cf s = v[r] + v[r + 2], d = v[r] - v[r + 2];
            v[r] = s;
            v[r + 2] = d;
        }
    v[3] = rot90(v[3]);
    v[7] = rot90(v[7]);

    // layer 3: neighbours; results in bit-reversed order
    const uint rev[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    for (uint r = 0; r < 8; r += 2) {
        cf s = v[r] + v[r + 1], d = v[r] - v[r + 1];
        v[r] = s;
        v[r + 1] = d;
    }
    for (uint r = 0; r < 8; ++r) {
        const float ang = -2.0f * M_PI_F * (float)(j * rev[r]) / (float)len;
        p[rev[r] * q] = cmul(v[r], (cf)(cos(ang), sin(ang)));
    }
}

__kernel void digit_reverse(__global const cf *src, __global cf *dst, uint digits)
{
    const uint i = get_global_id(0);
    uint k = i, r = 0;
    for (uint d = 0; d < digits; ++d) {
        r = r * 8 + k % 8;
        k /= 8;
    }
    dst[r] = src[i];
}
