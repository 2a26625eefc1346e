#define NBINS 256
__kernel void hist256(__global const uint *pixels, __global uint *hist, uint npix)
{
    __local uint h[NBINS];
    const uint lid = get_local_id(0);
    for (uint b = lid; b < NBINS; b += get_local_size(0))
        h[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    /* one byte per pixel would be nicer, the host gives us ints: take the low byte */
    for (uint p = get_global_id(0); p < npix; p += get_global_size(0)) {
        uchar4 v = as_uchar4(pixels[p]);
        atomic_inc(&h[v.s0]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint b = lid; b < NBINS; b += get_local_size(0))
        if (h[b])
            atomic_add(hist + b, h[b]);
}
