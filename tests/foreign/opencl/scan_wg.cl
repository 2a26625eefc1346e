// -cl-std=CL2.0
kernel void blocks(global const int *in, global int *out, global int *totals)
{
    size_t i = get_global_id(0);
    int v = in[i];
    out[i] = work_group_scan_inclusive_add(v);
    int t = work_group_reduce_add(v);
    if (get_local_id(0) == 0) totals[get_group_id(0)] = t;
}

kernel void offsets(global int *out, global const int *totals)
{
    int before = 0;
    for (int g = 0; g < get_group_id(0); g++)
        before += totals[g];
    out[get_global_id(0)] += before;
}
