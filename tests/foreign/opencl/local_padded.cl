#define PAD(i) ((i) + ((i) >> 4))

__kernel void fft_lds(__global const float2 *restrict gin, __global float2 *restrict gout,
                      __local float *lre, __local float *lim, const uint lg)
{
    const uint n = 1u << lg, t = get_local_id(0), T = get_local_size(0);
    gin  += get_group_id(0) * n;
    gout += get_group_id(0) * n;

    for (uint i = t; i < n; i += T) {
        uint rv = 0;
        for (uint b = 0; b != lg; ++b) rv |= ((i >> b) & 1u) << (lg - 1u - b);
        lre[PAD(rv)] = gin[i].x;
        lim[PAD(rv)] = gin[i].y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint st = 0; st < lg; ++st) {
        const uint h = 1u << st;
        for (uint j = t; j < n / 2; j += T) {
            const uint k = j & (h - 1), a = (j >> st << (st + 1)) + k, b = a + h;
            float cw, sw = sincos(-M_PI_F * k / h, &cw);
            const float br = lre[PAD(b)] * cw - lim[PAD(b)] * sw;
            const float bi = lre[PAD(b)] * sw + lim[PAD(b)] * cw;
            lre[PAD(b)] = lre[PAD(a)] - br;
            lim[PAD(b)] = lim[PAD(a)] - bi;
            lre[PAD(a)] += br;
            lim[PAD(a)] += bi;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = t; i < n; i += T)
        gout[i] = (float2)(lre[PAD(i)], lim[PAD(i)]);
}
