kernel void dct(global const float *x, global float *X, local float *costab, int n)
{
    // cos(pi/N * (j + 1/2) * k) = cos(pi/(2N) * ((2j+1)k mod 4N)), one table of 4N entries
    int k = get_local_id(0);
    for (int m = k; m < 4 * n; m += get_local_size(0))
        costab[m] = cospi(m / (2.0f * n));
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.f;
    for (int j = 0; j < n; j++)
        sum += x[j] * costab[((2 * j + 1) * k) % (4 * n)];
    X[k] = sum;
}