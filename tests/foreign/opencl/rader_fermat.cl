// Rader's FFT for a Fermat prime p (5, 17, 257): the cyclic convolution has p - 1 = 2^m points.
// Forward transforms are decimation in frequency, the way back is decimation in time, so nobody needs to reverse bits.
// One work-group of (p-1)/2 items.

constant int GENERATOR = 3;

int pow_mod(int base, int e, const int p)
{
    int r = 1;
    while (e > 0) {
        if (e & 1)
            r = r * base % p;
        base = base * base % p;
        e >>= 1;
    }
    return r;
}

float2 times(const float2 a, const float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

float2 unit(const float turns)
{
    return (float2)(cospi(2 * turns), sinpi(2 * turns));
}

void forward_dif(local float2* z, const int len)
{
    const int t = get_local_id(0);
    for (int h = len / 2; h >= 1; h /= 2) {
        const int j = t % h;
        const int lo = t / h * 2 * h + j;
        const float2 a = z[lo];
        const float2 b = z[lo + h];
        z[lo] = a + b;
        z[lo + h] = times(a - b, unit(-(float)j / (2 * h)));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

void backward_dit(local float2* z, const int len)
{
    const int t = get_local_id(0);
    for (int h = 1; h < len; h *= 2) {
        const int j = t % h;
        const int lo = t / h * 2 * h + j;
        const float2 a = z[lo];
        const float2 b = times(z[lo + h], unit((float)j / (2 * h)));
        z[lo] = a + b;
        z[lo + h] = a - b;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void rader(global const float2* x, global float2* X, const int p, local float2* a, local float2* b)
{
    const int m = p - 1;
    const int t = get_local_id(0);
    const float2 x0 = x[0];

    for (int q = t; q < m; q += m / 2) {
        a[q] = x[pow_mod(GENERATOR, q, p)];
        b[q] = unit(-(float)pow_mod(GENERATOR, m - q, p) / p);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    forward_dif(a, m);
    forward_dif(b, m);

    if (t == 0)
        X[0] = x0 + a[0];

    for (int q = t; q < m; q += m / 2)
        b[q] = times(a[q], b[q]) / m;
    barrier(CLK_LOCAL_MEM_FENCE);

    backward_dit(b, m);

    for (int q = t; q < m; q += m / 2)
        X[pow_mod(GENERATOR, m - q, p)] = x0 + b[q];
}
