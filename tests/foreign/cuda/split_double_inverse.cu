// Inverse transform in double precision: conjugate twiddles, 1/n in the last pass.
template <typename T>
__device__ void pass(T *ar, T *ai, int g, int half, T scale)
{
    int k = g & (half - 1);
    int i = ((g - k) << 1) | k, j = i | half;
    T wr = cospi(T(k) / half), wi = sinpi(T(k) / half);
    T br = ar[j] * wr - ai[j] * wi;
    T bi = ar[j] * wi + ai[j] * wr;
    T ur = ar[i], ui = ai[i];
    ar[i] = (ur + br) * scale;
    ai[i] = (ui + bi) * scale;
    ar[j] = (ur - br) * scale;
    ai[j] = (ui - bi) * scale;
}

extern "C" __global__ void inverse(double *ar, double *ai, int n)
{
    int tid = threadIdx.x;
    for (int i = tid; i < n; i += blockDim.x)
    {
        int j = 0;
        for (int a = i, m = n; m > 1; m >>= 1, a >>= 1) j = (j << 1) | (a & 1);
        if (i < j)
        {
            double t = ar[i]; ar[i] = ar[j]; ar[j] = t;
            t = ai[i]; ai[i] = ai[j]; ai[j] = t;
        }
    }
    __syncthreads();
    for (int half = 1; half < n; half *= 2)
    {
        pass(ar, ai, tid, half, half == n / 2 ? 1.0 / n : 1.0);
        __syncthreads();
    }
}
