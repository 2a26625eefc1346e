// helper without an address space: needs -cl-std=CL2.0
void accumulate(int *p, int n)
{
    for (int i = 1; i < n; ++i)
        p[i] += p[i - 1];
}

kernel void prefix(global const int *x, global int *y, int n)
{
    local int l[64];
    int mine[4];
    const int t = get_local_id(0), chunk = 4;
    for (int i = 0; i < chunk; i++) mine[i] = x[t * chunk + i];
    accumulate(mine, chunk);
    l[t] = mine[chunk - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) accumulate(l, n / chunk);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int before = t ? l[t - 1] : 0;
    for (int i = 0; i < chunk; i++) y[t * chunk + i] = mine[i] + before;
}
