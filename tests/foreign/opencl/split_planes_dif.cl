typedef struct { float re, im; } cplx;

static cplx getc(__global const float *re, __global const float *im, int i)
{
    cplx z;
    z.re = re[i];
    z.im = im[i];
    return z;
}
static void putc(__global float *re, __global float *im, int i, cplx z) { re[i] = z.re; im[i] = z.im; }
static cplx add(cplx a, cplx b) { a.re += b.re; a.im += b.im; return a; }
static cplx sub(cplx a, cplx b) { a.re -= b.re; a.im -= b.im; return a; }
static cplx mul(cplx a, cplx b)
{
    cplx r = { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
    return r;
}

__kernel void stage_df(__global float *re, __global float *im, __global const float2 *tab, int n, int log_span)
{
    int g   = get_global_id(0);
    int off = g & ((1 << log_span) - 1);
    int i0  = ((g >> log_span) << (log_span + 1)) | off;
    int i1  = i0 | (1 << log_span);
    int e   = off * (n >> (log_span + 1));
    cplx w  = { tab[e].x, tab[e].y };

    cplx a = getc(re, im, i0), b = getc(re, im, i1);
    putc(re, im, i0, add(a, b));
    putc(re, im, i1, mul(sub(a, b), w));
}

__kernel void bitrev_planes(__global float *p, __global float *q, int bits)
{
    int i = get_global_id(0), j = 0;
    for (int k = 0; k < bits; k++)
        if (i & (1 << k)) j |= 1 << (bits - 1 - k);
    if (i < j) {
        float t;
        t = p[i]; p[i] = p[j]; p[j] = t;
        t = q[i]; q[i] = q[j]; q[j] = t;
    }
}
