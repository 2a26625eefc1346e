#define RADIUS 2
#define WG     16

__kernel void fir(__global const float *in, __global float *out, __constant float *taps, const int n)
{
    __local float tile[WG + 2 * RADIUS];

    const int gid = get_global_id(0);
    const int lid = get_local_id(0);

    tile[lid + RADIUS] = (gid < n) ? in[gid] : 0.0f;
    if (lid < RADIUS) {
        int left  = gid - RADIUS;
        int right = gid + WG;
        tile[lid] = (left >= 0) ? in[left] : 0.0f;
        tile[lid + WG + RADIUS] = (right < n) ? in[right] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (gid >= n)
        return;
    float acc = 0.0f;
    #pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        acc += taps[RADIUS - k] * tile[lid + RADIUS + k];
    out[gid] = acc;
}
