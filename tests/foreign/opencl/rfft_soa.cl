/*
 *  rfft_soa.cl
 *
 *  FFT of 2*M real samples through a complex FFT of M points.
 *  Real and imaginary parts live in arrays of their own. Result: M+1 bins.
 */

#ifndef REAL
#define REAL float
#endif

__kernel void
rfft_pack (__global const REAL *samples,
           __global REAL *re,
           __global REAL *im,
           int ldm)
{
    int src = get_global_id (0);
    int dst = 0;
    int b;

    for (b = 0; b < ldm; b++)
        if (src & (1 << b))
            dst |= 1 << (ldm - 1 - b);

    re[dst] = samples[2 * src];
    im[dst] = samples[2 * src + 1];
}

__kernel void
rfft_level (__global REAL *re,
            __global REAL *im,
            int ld)
{
    int   t    = get_global_id (0);
    int   span = 1 << (ld - 1);
    int   k    = t % span;
    int   p    = (t / span << ld) + k;
    int   q    = p + span;
    REAL  wr   = cos (M_PI_F * k / span);
    REAL  wi   = -sin (M_PI_F * k / span);
    REAL  xr   = re[q] * wr - im[q] * wi;
    REAL  xi   = re[q] * wi + im[q] * wr;

    re[q] = re[p] - xr;
    im[q] = im[p] - xi;
    re[p] += xr;
    im[p] += xi;
}

/*  X[k] = E[k] + w^k O[k],  2E = Z[k] + conj Z[M-k],  2iO = Z[k] - conj Z[M-k]  */
__kernel void
rfft_unpack (__global const REAL *re,
             __global const REAL *im,
             __global REAL *spec_re,
             __global REAL *spec_im,
             int m)
{
    int k = get_global_id (0);
    int i, j;
    REAL er, ei, odr, odi, c, s;

    if (k > m)
        return;

    i = k & (m - 1);
    j = (m - k) & (m - 1);

    er  = (REAL) 0.5 * (re[i] + re[j]);
    ei  = (REAL) 0.5 * (im[i] - im[j]);
    odr = (REAL) 0.5 * (im[i] + im[j]);
    odi = (REAL) 0.5 * (re[j] - re[i]);

    s = -sin (M_PI_F * k / m);
    c = cos (M_PI_F * k / m);

    spec_re[k] = er + c * odr - s * odi;
    spec_im[k] = ei + c * odi + s * odr;
}
