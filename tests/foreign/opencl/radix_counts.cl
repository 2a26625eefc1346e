#define RADIX_BITS 2
#define BINS (1 << RADIX_BITS)

__kernel void lsd_pass(__global const uint *src, __global uint *dst, __local ushort *cnt, const uint per, const uint shift)
{
    const uint t = get_local_id(0), T = get_local_size(0);
    // 1. every item counts its own stretch; layout cnt[bin * T + t]
    for (uint b = 0; b < BINS; b++) cnt[b * T + t] = 0;
    for (uint e = t * per; e < (t + 1) * per; e++)
        cnt[((src[e] >> shift) & (BINS - 1)) * T + t]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    // 2. exclusive scan, by one item
    if (t == 0) {
        ushort run = 0;
        for (uint c = 0; c < BINS * T; c++) { ushort h = cnt[c]; cnt[c] = run; run += h; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // 3. scatter, in order
    for (uint e = t * per; e < (t + 1) * per; e++) {
        const uint v = src[e];
        dst[cnt[((v >> shift) & (BINS - 1)) * T + t]++] = v;
    }
}
