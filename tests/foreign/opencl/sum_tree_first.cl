// interleave-free tree, first add during load (2 elements per item)
__kernel void reduce(__global const float *in, __global float *out, __local float *sh, uint n)
{
    uint tid = get_local_id(0);
    uint i = get_group_id(0) * (get_local_size(0) * 2) + tid;

    float mine = (i < n) ? in[i] : 0;
    if (i + get_local_size(0) < n)
        mine += in[i + get_local_size(0)];
    sh[tid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (tid < s)
            sh[tid] = mine = mine + sh[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0) out[get_group_id(0)] = mine;
}
