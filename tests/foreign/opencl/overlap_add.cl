// FIR filter by overlap-add. Blocks of L samples, FFT of N = 2L points per work-group (L items).
// The forward FFT leaves bit-reversed order, the inverse starts from it, so nobody has to sort.
#define N 16
#define L 8

void fwd(local float *re, local float *im, int t)
{
    for (int h = N / 2; h > 0; h >>= 1) {
        int k = t & (h - 1);
        int i = 2 * t - k;
        float ur = re[i], ui = im[i];
        float vr = re[i + h], vi = im[i + h];
        float c = cos(M_PI_F * k / h), s = -sin(M_PI_F * k / h);
        re[i] = ur + vr;
        im[i] = ui + vi;
        re[i + h] = (ur - vr) * c - (ui - vi) * s;
        im[i + h] = (ur - vr) * s + (ui - vi) * c;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

void inv(local float *re, local float *im, int t)
{
    for (int h = 1; h < N; h <<= 1) {
        int k = t & (h - 1);
        int i = 2 * t - k;
        float c = cos(M_PI_F * k / h), s = sin(M_PI_F * k / h);
        float vr = re[i + h] * c - im[i + h] * s;
        float vi = re[i + h] * s + im[i + h] * c;
        float ur = re[i], ui = im[i];
        re[i] = ur + vr;
        im[i] = ui + vi;
        re[i + h] = ur - vr;
        im[i + h] = ui - vi;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void filter_spectrum(global const float *h, int taps, global float2 *H)
{
    local float re[N], im[N];
    int t = get_local_id(0);
    for (int j = t; j < N; j += L) {
        re[j] = j < taps ? h[j] : 0.0f;
        im[j] = 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    fwd(re, im, t);
    H[t] = (float2)(re[t], im[t]);
    H[t + L] = (float2)(re[t + L], im[t + L]);
}

kernel void blocks(global const float *x, int n, global const float2 *H, global float *parts)
{
    local float re[N], im[N];
    int t = get_local_id(0), b = get_group_id(0);
    int g = b * L + t;
    re[t] = g < n ? x[g] : 0.0f;
    re[t + L] = 0.0f;
    im[t] = 0.0f;
    im[t + L] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    fwd(re, im, t);
    for (int j = t; j < N; j += L) {
        float a = re[j], c = im[j];
        float2 w = H[j];
        re[j] = a * w.x - c * w.y;
        im[j] = a * w.y + c * w.x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    inv(re, im, t);

    parts[b * N + t] = re[t] / N;
    parts[b * N + t + L] = re[t + L] / N;
}

kernel void add_up(global const float *parts, int nblocks, global float *y, int count)
{
    int i = get_global_id(0);
    if (i >= count) return;
    int b = i / L, r = i % L;
    float v = b < nblocks ? parts[b * N + r] : 0.0f;
    if (b > 0)
        v += parts[(b - 1) * N + L + r];
    y[i] = v;
}
