/* Makhoul 1980: even samples up, odd samples down, FFT of N, rotate by exp(-i pi k / 2N) */

__kernel void reorder(__global const float *x, __global float2 *v, int N)
{
    int i = get_global_id(0);
    int src = (i < (N + 1) / 2) ? 2 * i : 2 * (N - i) - 1;
    v[i] = (float2)(x[src], 0.0f);
}

__kernel void plain_dft(__global const float2 *v, __global float2 *V, int N)
{
    int k = get_global_id(0);
    float2 s = (float2)(0.0f, 0.0f);
    for (int n = 0; n < N; ++n) {
        float a = -2.0f * ((n * k) % N) / N;
        s.x += v[n].x * cospi(a) - v[n].y * sinpi(a);
        s.y += v[n].x * sinpi(a) + v[n].y * cospi(a);
    }
    V[k] = s;
}

__kernel void rotate_real(__global const float2 *V, __global float *X, int N)
{
    int k = get_global_id(0);
    float a = -0.5f * k / N;
    X[k] = V[k].x * cospi(a) - V[k].y * sinpi(a);
}
