/**
 * Forward complex FFT, one signal per work-group, power-of-two length.
 *
 * Gentleman-Sande (decimation in frequency): natural order in, bit-reversed
 * order in local memory, put straight on the way out.
 *
 * local size   n / 2   (each work-item owns one butterfly per pass)
 * buf          n * sizeof(float2) bytes of local memory
 */
typedef float2 cplx;

static inline cplx cmul(const cplx a, const cplx b)
{
    return (cplx)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/** Reverse the low @p bits bits of @p v. */
static inline uint reverse_bits(uint v, const uint bits)
{
    v = ((v & 0x55555555u) << 1) | ((v >> 1) & 0x55555555u);
    v = ((v & 0x33333333u) << 2) | ((v >> 2) & 0x33333333u);
    v = ((v & 0x0f0f0f0fu) << 4) | ((v >> 4) & 0x0f0f0f0fu);
    v = ((v & 0x00ff00ffu) << 8) | ((v >> 8) & 0x00ff00ffu);
    v = (v << 16) | (v >> 16);
    return v >> (32u - bits);
}

__kernel void fft_gentleman_sande(__global const cplx *restrict src,
                                  __global cplx *restrict dst,
                                  __local cplx *buf,
                                  const uint log_n)
{
    const uint lid    = get_local_id(0);
    const uint n      = 1u << log_n;
    const uint half_n = n >> 1;
    const uint base   = get_group_id(0) * n;

    buf[lid]          = src[base + lid];
    buf[lid + half_n] = src[base + lid + half_n];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint span = half_n; span > 0; span >>= 1) {
        const uint j   = lid & (span - 1);
        const uint top = 2 * (lid - j) + j;
        const uint bot = top + span;

        const cplx a = buf[top];
        const cplx b = buf[bot];

        float c;
        const float s = sincos(-M_PI_F * (float)j / (float)span, &c);

        buf[top] = a + b;
        buf[bot] = cmul(a - b, (cplx)(c, s));
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    dst[base + reverse_bits(lid, log_n)]          = buf[lid];
    dst[base + reverse_bits(lid + half_n, log_n)] = buf[lid + half_n];
}
