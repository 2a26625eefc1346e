// z = a + i b;  A = (Z[k] + conj Z[n-k]) / 2 ;  B = (Z[k] - conj Z[n-k]) / 2i
__kernel void join_dft(__global const float *a, __global const float *b, __global float *Z, int n)
{
    int k = get_global_id(0);
    float re = 0, im = 0, ca, sa;
    for (int j = 0; j < n; j++)
    {
        sa = sincos(-2 * M_PI_F * (k * j % n) / n, &ca);
        re += a[j] * ca - b[j] * sa, im += a[j] * sa + b[j] * ca;
    }
    vstore2((float2)(re, im), k, Z);
}

__kernel void take_apart(__global const float *Z, __global float4 *AB, int n)
{
    int k = get_global_id(0);
    float2 p = vload2(k, Z);
    float2 m = vload2(k == 0 ? 0 : n - k, Z);
    m.y *= -1;
    float2 A = (p + m) / 2, B = (p - m) / 2;
    AB[k] = (float4)(A, B.y, -B.x);
}
