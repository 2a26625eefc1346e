/* data stays fp16 in memory, math is fp32 (works without cl_khr_fp16) */

__kernel void pack(__global const float2 *x, __global half *h)
{
    int i = get_global_id(0);
    vstore_half2(x[i], i, h);
}

__kernel void pass(__global const half *a, __global half *b, int p)
{
    int i = get_global_id(0), t = get_global_size(0);
    int k = i % p;
    float2 u = vload_half2(i, a);
    float2 v = vload_half2(i + t, a);
    float2 w;
    w.y = sincos(-M_PI_F * k / p, (float *)&w);
    v = (float2)(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
    int d = 2 * i - k;
    vstore_half2(u + v, d, b);
    vstore_half2(u - v, d + p, b);
}

__kernel void widen(__global const half *h, __global float *y)
{
    int i = get_global_id(0);
    y[2 * i]     = vload_half(2 * i, h);
    y[2 * i + 1] = vload_half(2 * i + 1, h);
}
