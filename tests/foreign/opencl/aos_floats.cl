/* Complex numbers as pairs of floats in a float array, like FFTPACK or a cufftComplex* that was cast. */
kernel void bitrev(global float *x, int bits)
{
    int i = get_global_id(0), j = 0, v = i;
    for (int b = bits; b--; v >>= 1) j = j * 2 + (v & 1);
    if (j > i) {
        float t0 = x[2*i], t1 = x[2*i+1];
        x[2*i] = x[2*j];
        x[2*i+1] = x[2*j+1];
        x[2*j] = t0;
        x[2*j+1] = t1;
    }
}

kernel void danielson(global float *data, int mmax)
{
    /* mmax counts floats, as in Numerical Recipes */
    int g = get_global_id(0);
    int m = (g % (mmax / 2)) * 2;
    int i = (g / (mmax / 2)) * mmax * 2 + m, j = i + mmax;
    float theta = -2 * M_PI_F / mmax * (m / 2);
    float wr = cos(theta), wi = sin(theta);
    float tempr = wr * data[j] - wi * data[j + 1];
    float tempi = wr * data[j + 1] + wi * data[j];
    data[j] = data[i] - tempr;
    data[j + 1] = data[i + 1] - tempi;
    data[i] += tempr;
    data[i + 1] += tempi;
}
