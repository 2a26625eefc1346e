#define MAXR 5

/* e^{-2 pi i num/den} */
float2 root(int num, int den)
{
    float x = -2.0f * (num % den) / den;
    return (float2)(cospi(x), sinpi(x));
}

float2 times(const float2 p, const float2 q) { return (float2)(p.x*q.x - p.y*q.y, p.x*q.y + p.y*q.x); }

__kernel void mixed(__global const float2 *src, __global float2 *dst,
                    __local float2 *ping, __local float2 *pong, int n)
{
    int tid = get_local_id(0), nth = get_local_size(0);
    for (int i = tid; i < n; i += nth)
        ping[i] = src[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    const int radices[3] = {2, 3, 5};
    int done = 1, rest = n;
    for (int f = 0; f < 3; f++) {
        int r = radices[f];
        while (rest % r == 0) {
            rest /= r;
            /* n / r butterflies */
            for (int b = tid; b < n / r; b += nth) {
                int k = b % done, blk = b / done;
                float2 v[MAXR];
                for (int q = 0; q < r; q++)
                    v[q] = times(ping[b + q * (n / r)], root(q * k, r * done));
                for (int o = 0; o < r; o++) {
                    float2 acc = v[0];
                    for (int q = 1; q < r; q++)
                        acc += times(v[q], root(q * o, r));
                    pong[blk * r * done + o * done + k] = acc;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            __local float2 *hold = ping;
            ping = pong;
            pong = hold;
            done *= r;
        }
    }
    for (int i = tid; i < n; i += nth)
        dst[i] = ping[i];
}
