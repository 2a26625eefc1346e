#pragma OPENCL EXTENSION cl_khr_fp64:enable
// Numerical Recipes' trick: wr += wr*wpr - wi*wpi.  One work item = one block.
__kernel void danielson_lanczos(__global double *data, int mmax, int isign)
{
    int istep = mmax << 1;                      // doubles, 2 per point
    int start = get_global_id(0) * istep;
    double theta = isign * (6.28318530717958647692 / mmax);
    double wtemp = sin(0.5 * theta);
    double wpr = -2.0 * wtemp * wtemp;
    double wpi = sin(theta);
    double wr = 1.0, wi = 0.0;
    for (int m = 0; m < mmax; m += 2) {
        int i = start + m;
        int j = i + mmax;
        double tempr = wr * data[j] - wi * data[j + 1];
        double tempi = wr * data[j + 1] + wi * data[j];
        data[j] = data[i] - tempr;
        data[j + 1] = data[i + 1] - tempi;
        data[i] += tempr;
        data[i + 1] += tempi;
        wr = (wtemp = wr) * wpr - wi * wpi + wr;
        wi = wi * wpr + wtemp * wpi + wi;
    }
}

__kernel void reorder(__global double2 *data, int n)
{
    /* serial on purpose */
    if (get_global_id(0) != 0)
        return;
    int j = 0;
    for (int i = 0; i < n; i++) {
        if (j > i) {
            double2 t = data[j];
            data[j] = data[i];
            data[i] = t;
        }
        int m = n >> 1;
        while (m >= 1 && j & m) {
            j -= m;
            m >>= 1;
        }
        j += m;
    }
}
