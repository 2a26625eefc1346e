// One block. The two pairs of arrays change places after every pass.
extern "C" __global__ void fft_swap(float *xr, float *xi, float *wr, float *wi, int n, int passes)
{
    const int t = threadIdx.x;
    float *sr = xr, *si = xi, *dr = wr, *di = wi;
    for (int p = 0; p < passes; ++p)
    {
        const int ns = 1 << p;
        const int k = t & (ns - 1);
        float sn, cs;
        sincosf(-3.14159265358979f * k / ns, &sn, &cs);
        const float ar = sr[t], ai = si[t];
        const float br = sr[t + n / 2], bi = si[t + n / 2];
        const float tr = br * cs - bi * sn, ti = br * sn + bi * cs;
        const int d = ((t - k) << 1) + k;
        dr[d] = ar + tr;
        di[d] = ai + ti;
        dr[d + ns] = ar - tr;
        di[d + ns] = ai - ti;
        __syncthreads();
        float *tmp = sr; sr = dr; dr = tmp;
        tmp = si; si = di; di = tmp;
    }
    if (sr != xr)
        for (int i = t; i < n; i += blockDim.x)
        {
            xr[i] = sr[i];
            xi[i] = si[i];
        }
}
