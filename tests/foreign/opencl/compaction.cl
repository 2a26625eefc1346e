/* keeps the odd numbers, in order. one group = WG elements */
#define WG 8

__kernel void count_odd(__global const int *x, __global int *groups)
{
    __local int c;
    if (get_local_id(0) == 0) c = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x[get_global_id(0)] & 1) atomic_inc(&c);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) groups[get_group_id(0)] = c;
}

__kernel void keep_odd(__global const int *x, __global const int *groups, __global int *y)
{
    __local int pos[WG];
    const int l = get_local_id(0);
    const int v = x[get_global_id(0)], keep = v & 1;
    int base = 0;
    for (int g = 0; g < get_group_id(0); g++) base += groups[g];

    pos[l] = keep;
    barrier(CLK_LOCAL_MEM_FENCE);
    int before = 0;
    for (int j = 0; j < l; j++) before += pos[j];
    if (keep)
        y[base + before] = v;
}

__kernel void keep_odd_slow(__global const int *x, __global int *y, int n)
{
    int o = 0;
    for (int i = 0; i < n; i++)
        if (x[i] & 1) y[o++] = x[i];
}
