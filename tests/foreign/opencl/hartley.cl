/* discrete Hartley transform: H[k] = sum x[n] (cos + sin)(2 pi n k / N) */
typedef struct { float v[4]; } quad;

quad load_quad(__global const float *p) { quad q; *(float4 *)q.v = vload4(0, p); return q; }

__kernel void hartley(__global const float *x, __global float *H, const int N)
{
    const int k = get_global_id(0);
    float sum = 0.f, c, s;
    for (int n = 0; n < N; n += 4) {
        const quad q = load_quad(x + n);
        for (int j = 0; j < 4; ++j) {
            s = sincos(6.2831853f * ((n + j) * k % N) / N, &c);
            sum += q.v[j] * (c + s);
        }
    }
    H[k] = sum;
}
