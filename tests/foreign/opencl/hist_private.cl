/* 8 bins, each work-item keeps them in a private array, then columns are summed */
kernel void hist_private(global const float *v, global int *bins, local uchar *cols, int n)
{
    uchar mine[8] = {0};
    int t = get_local_id(0), T = get_local_size(0), i;

    for (i = t; i < n; i += T) {
        int b = (int)floor(v[i]);
        mine[b > 7 ? 7 : b]++;
    }
    for (i = 0; i < 8; i++)
        cols[i * T + t] = mine[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 8) {
        int sum = 0;
        for (i = 0; i < T; i++)
            sum += cols[t * T + i];
        bins[t] = sum;
    }
}
