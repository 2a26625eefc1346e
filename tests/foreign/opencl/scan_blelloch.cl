#define LOG_BANKS 4
#define OFF(n) ((n) >> LOG_BANKS)

__kernel void prescan(__global float *g_odata, __global const float *g_idata, __local float *temp, const int n)
{
    const int thid = get_local_id(0);
    int offset = 1;

    int ai = thid;
    int bi = thid + (n/2);
    temp[ai + OFF(ai)] = g_idata[ai];
    temp[bi + OFF(bi)] = g_idata[bi];

    for (int d = n>>1; d > 0; d >>= 1)                    // up-sweep
    {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thid < d)
        {
            int ai = offset*(2*thid+1)-1;
            int bi = offset*(2*thid+2)-1;
            ai += OFF(ai);
            bi += OFF(bi);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) { temp[n - 1 + OFF(n - 1)] = 0; }
    for (int d = 1; d < n; d *= 2)                        // down-sweep
    {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thid < d)
        {
            int ai = offset*(2*thid+1)-1;
            int bi = offset*(2*thid+2)-1;
            ai += OFF(ai);
            bi += OFF(bi);
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    g_odata[ai] = temp[ai + OFF(ai)];
    g_odata[bi] = temp[bi + OFF(bi)];
}
