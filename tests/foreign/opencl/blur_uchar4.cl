/* pixels are uint words: R G B A bytes */
__kernel void box3(__global const uint *src, __global uint *dst, int w)
{
    __global const uchar4 *p = (__global const uchar4 *)src;
    __global uchar4 *q = (__global uchar4 *)dst;
    const int i = get_global_id(0);
    const int l = max(i - 1, 0), r = min(i + 1, w - 1);
    ushort4 s = convert_ushort4(p[l]) + convert_ushort4(p[i]) + convert_ushort4(p[r]);
    s = (s + (ushort4)(1)) / (ushort)3;
    q[i] = convert_uchar4_sat(s);
}

__kernel void box3_slow(__global const uint *src, __global uint *dst, int w)
{
    int i = get_global_id(0);
    uint out = 0;
    for (int c = 0; c < 32; c += 8) {
        uint a = src[i > 0 ? i - 1 : 0] >> c & 255, b = src[i] >> c & 255, d = src[i < w - 1 ? i + 1 : w - 1] >> c & 255;
        out |= (a + b + d + 1) / 3 << c;
    }
    dst[i] = out;
}

__kernel void spread(__global const uint *seed, __global uint *src) { uint i = get_global_id(0); src[i] = seed[i] * 2654435761u + i; }
