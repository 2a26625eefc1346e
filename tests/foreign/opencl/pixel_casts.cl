/*
 * RGBA in one word. Channels are swapped and inverted through as_uchar4, rows mirrored
 * through a cast pointer, and the grey value goes into the alpha byte.
 */
#define PX(p) as_uchar4(p)

__kernel void swap_rb(__global const uint *src, __global uint *tmp)
{
    const size_t i = get_global_id(0);
    uchar4 p = PX(src[i]);
    p.xyz = (uchar3)(255) - p.zyx;
    tmp[i] = as_uint(p);
}

__kernel void mirror(__global const uint *tmp, __global uint *dst, int w)
{
    __local uint row[16];
    const int x = get_local_id(0), y = get_group_id(0);
    row[x] = tmp[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar4 p = as_uchar4(row[w - 1 - x]);
    ((__global uchar4 *)dst)[y * w + x] = (uchar4)(p.xyz, (uchar)((p.x + p.y + p.z) / 3));
}

__kernel void by_shifts(__global const uint *src, __global uint *ref, int w)
{
    const int i = get_global_id(0), y = i / w, x = i % w;
    const uint p = src[y * w + w - 1 - x];
    const uint r = 255 - (p >> 16 & 255), g = 255 - (p >> 8 & 255), b = 255 - (p & 255);
    ref[i] = r | g << 8 | b << 16 | (r + g + b) / 3 << 24;
}

__kernel void noise(__global const float *signal, __global uint *src)
{
    const int i = get_global_id(0);
    src[i] = as_uint(signal[i]) * 2654435761u;
}
