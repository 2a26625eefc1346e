__kernel void scan(__global int *data, __local int *tmp)
{
    int tid = get_local_id(0), n = get_local_size(0);
    int pout = 0, pin = 1;
    tmp[tid] = data[tid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int offset = 1; offset < n; offset <<= 1) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (tid >= offset)
            tmp[pout*n + tid] = tmp[pin*n + tid] + tmp[pin*n + tid - offset];
        else
            tmp[pout*n + tid] = tmp[pin*n + tid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[tid] = tmp[pout*n + tid];
}
