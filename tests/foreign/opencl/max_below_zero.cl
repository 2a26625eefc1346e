kernel void maximum(global const int *v, global int *best, int n)
{
    local int s[64];
    const int me = get_local_id(0);
    int len = get_local_size(0);

    int m = INT_MIN;
    for (int i = me; i < n; i += len)
        m = max(m, v[i]);
    s[me] = m;
    barrier(CLK_LOCAL_MEM_FENCE);

    while (len > 1) {
        int h = (len + 1) / 2;
        if (me + h < len && s[me] < s[me + h])
            s[me] = s[me + h];
        barrier(CLK_LOCAL_MEM_FENCE);
        len = h;
    }
    if (me == 0)
        best[0] = s[0];
}
