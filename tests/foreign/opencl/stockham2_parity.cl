#define SWAP(A,B) { __global float2 *_t = A; A = B; B = _t; }

__kernel void fft_one_group(__global float2 *in, __global float2 *out, const int N)
{
    const int lid = get_local_id(0);
    __global float2 *from = in, *to = out;

    for (int Ns = 1; Ns < N; Ns *= 2)
    {
        const int k = lid % Ns;
        const float ang = -2.0f * M_PI_F * (float)k / (float)(Ns * 2);
        const float2 v0 = from[lid];
        const float2 v1 = from[lid + N/2];
        const float2 r = (float2)(v1.x * cos(ang) - v1.y * sin(ang),
                                  v1.x * sin(ang) + v1.y * cos(ang));
        const int d = (lid / Ns) * Ns * 2 + k;
        to[d]      = v0 + r;
        to[d + Ns] = v0 - r;
        barrier(CLK_GLOBAL_MEM_FENCE);
        SWAP(from, to);
    }
    /* result is in "from" now: copy when that is not the caller's out */
    if (from != out) {
        out[lid] = from[lid];
        out[lid + N/2] = from[lid + N/2];
    }
}
