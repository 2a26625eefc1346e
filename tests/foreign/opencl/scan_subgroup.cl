#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void scan_sg(global const float *x, global float *y)
{
    local float sums[32];
    float v = x[get_local_id(0)];
    float s = sub_group_scan_inclusive_add(v);
    uint sg = get_sub_group_id(), lane = get_sub_group_local_id();
    if (lane == get_sub_group_size() - 1)
        sums[sg] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    float before = 0;
    for (uint g = 0; g < sg; ++g)
        before += sums[g];
    y[get_local_id(0)] = s + before;
}
