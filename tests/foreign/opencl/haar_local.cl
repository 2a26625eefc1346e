#define ISQRT2 0.70710678118f
/* orthonormal Haar; averages end up in front */
__kernel void haar(__global const float *in, __global float *out, __local float *buf, int n)
{
    int t = get_local_id(0);
    buf[2*t]   = in[2*t];
    buf[2*t+1] = in[2*t+1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int len = n; len > 1; len /= 2) {
        float l = 0, r = 0;
        bool on = t < len / 2;
        if (on) {
            l = buf[2*t];
            r = buf[2*t+1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (on) {
            buf[t] = (l + r) * ISQRT2;
            out[len/2 + t] = (l - r) * ISQRT2;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[0] = buf[0];
}
