/*
 * Structure-of-arrays FFT, one work-group, everything in local memory.
 * Each work-item owns two points; n = 2 * get_local_size(0).
 */
__kernel void fft_soa(__global const float *inRe, __global const float *inIm,
                      __global float *outRe, __global float *outIm,
                      __local float *lre, __local float *lim, int n)
{
    const int t = get_local_id(0);
    const int mid = n / 2;
    int bits = 0;
    while ((1 << bits) < n) ++bits;

    for (int q = 0; q < 2; ++q) {
        int src = t + q * mid, dst = 0;
        for (int b = 0; b < bits; ++b)
            if (src & (1 << b)) dst |= 1 << (bits - 1 - b);
        lre[dst] = inRe[src];
        lim[dst] = inIm[src];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int m = 1; m < n; m *= 2) {
        int k = t & (m - 1);
        int i = 2 * (t - k) + k;
        int j = i + m;
        float wi, wr;
        wi = sincos(-M_PI_F * k / m, &wr);
        float tr = lre[j] * wr - lim[j] * wi;
        float ti = lre[j] * wi + lim[j] * wr;
        float ur = lre[i], ui = lim[i];
        lre[i] = ur + tr;
        lim[i] = ui + ti;
        lre[j] = ur - tr;
        lim[j] = ui - ti;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int q = 0; q < 2; ++q) {
        outRe[t + q * mid] = lre[t + q * mid];
        outIm[t + q * mid] = lim[t + q * mid];
    }
}
