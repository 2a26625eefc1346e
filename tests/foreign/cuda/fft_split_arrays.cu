/* Numerical-recipes style FFT on separate real and imaginary arrays.
   One block, grid of one; the host loops nothing. */
extern "C" __global__ void fft_split(float * __restrict__ re, float * __restrict__ im, int n, int log_n)
{
    int tid = threadIdx.x;
    int nth = blockDim.x;

    for (int i = tid; i < n; i += nth)
    {
        int j = 0;
        for (int b = 0; b < log_n; b++)
            if (i & (1 << b))
                j |= 1 << (log_n - 1 - b);
        if (j > i)
        {
            float tr = re[i]; re[i] = re[j]; re[j] = tr;
            float ti = im[i]; im[i] = im[j]; im[j] = ti;
        }
    }
    __syncthreads();

    for (int len = 2; len <= n; len <<= 1)
    {
        int half = len >> 1;
        for (int k = tid; k < n / 2; k += nth)
        {
            int within = k & (half - 1);
            int i = (k / half) * len + within;
            int j = i + half;
            float th = -6.2831853071795865f * within / len;
            float wr = cosf(th);
            float wi = sinf(th);
            float xr = wr * re[j] - wi * im[j];
            float xi = wr * im[j] + wi * re[j];
            re[j] = re[i] - xr;
            im[j] = im[i] - xi;
            re[i] += xr;
            im[i] += xi;
        }
        __syncthreads();
    }
}
