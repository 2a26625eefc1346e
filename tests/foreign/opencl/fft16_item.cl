/* each work item: one 16 point DFT held in two float16 */
constant float COS16[16] = { 1.f, 0.92387953f, 0.70710678f, 0.38268343f, 0.f, -0.38268343f, -0.70710678f, -0.92387953f,
                            -1.f,-0.92387953f,-0.70710678f,-0.38268343f, 0.f,  0.38268343f,  0.70710678f,  0.92387953f };
#define C16(k) COS16[(k) & 15]
#define S16(k) COS16[((k) + 4) & 15]        /* = -sin */

#define B4(RE, IM, a, b, c, d) { \
    float r0 = RE[a]+RE[c], r1 = RE[a]-RE[c], r2 = RE[b]+RE[d], r3 = RE[b]-RE[d]; \
    float i0 = IM[a]+IM[c], i1 = IM[a]-IM[c], i2 = IM[b]+IM[d], i3 = IM[b]-IM[d]; \
    RE[a] = r0+r2; IM[a] = i0+i2;   RE[b] = r1+i3; IM[b] = i1-r3; \
    RE[c] = r0-r2; IM[c] = i0-i2;   RE[d] = r1-i3; IM[d] = i1+r3; }

__kernel void fft16(__global const float *in, __global float *out)
{
    size_t base = get_global_id(0) * 32;
    float re[16], im[16];
    float16 lo = vload16(0, in + base);
    float16 hi = vload16(1, in + base);
    vstore8(lo.even, 0, re); vstore8(hi.even, 1, re);
    vstore8(lo.odd, 0, im);  vstore8(hi.odd, 1, im);

    B4(re, im, 0, 4,  8, 12)
    B4(re, im, 1, 5,  9, 13)
    B4(re, im, 2, 6, 10, 14)
    B4(re, im, 3, 7, 11, 15)

    for (int q = 1; q < 4; ++q)
        for (int p = 1; p < 4; ++p) {
            int i = 4*q + p;
            float x = re[i], y = im[i];
            re[i] = x * C16(p*q) - y * S16(p*q);
            im[i] = x * S16(p*q) + y * C16(p*q);
        }

    B4(re, im,  0,  1,  2,  3)
    B4(re, im,  4,  5,  6,  7)
    B4(re, im,  8,  9, 10, 11)
    B4(re, im, 12, 13, 14, 15)

    __global float *o = out + base;
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r) {
            *o++ = re[4*r + c];
            *o++ = im[4*r + c];
        }
}
