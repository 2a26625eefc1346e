/* Bluestein without an FFT inside: chirp, linear convolution with the conjugate chirp, chirp. Any length. */
static float2 chirp(int k, int n)
{
    const int k2 = (k * k) % (2 * n);            // keep the angle small
    const float a = M_PI_F * k2 / n;
    return (float2)(cos(a), -sin(a));
}
static float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static float2 conj2(float2 a) { return (float2)(a.x, -a.y); }

kernel void modulate(global const float2 *x, global float2 *u, int n)
{
    const int j = get_global_id(0);
    if (j >= n) return;
    u[j] = times(x[j], chirp(j, n));
}

kernel void convolve(global const float2 *u, global float2 *X, int n, local float2 *part)
{
    const int k = get_group_id(0);
    const int l = get_local_id(0), w = get_local_size(0);
    float2 sum = 0;
    for (int j = l; j < n; j += w)
        sum += times(u[j], conj2(chirp(k - j, n)));
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = w / 2; h > 0; h /= 2) {
        if (l < h) part[l] += part[l + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) X[k] = times(part[0], chirp(k, n));
}
