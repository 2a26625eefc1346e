/* Segment sums as differences of prefix sums. Two values per work-item. */

kernel void block_prefix(global const int* a, global int* p, global int* totals, local int* s, const int n)
{
    const int l = get_local_id(0);
    const int L = get_local_size(0);
    const int first = 2 * get_global_id(0);

    int v0 = first < n ? a[first] : 0;
    int v1 = first + 1 < n ? a[first + 1] : 0;
    s[l] = v0 + v1;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int d = 1; d < L; d *= 2) {
        int t = 0;
        if (l >= d)
            t = s[l - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    int before = l ? s[l - 1] : 0;
    if (first < n)
        p[first] = before + v0;
    if (first + 1 < n)
        p[first + 1] = before + v0 + v1;
    if (l == L - 1)
        totals[get_group_id(0)] = s[l];
}

kernel void prefix_totals(global int* totals, const int blocks)
{
    int run = 0;
    for (int b = 0; b < blocks; b++) {
        int t = totals[b];
        totals[b] = run;
        run += t;
    }
}

int prefix_at(global const int* p, global const int* totals, int count, int per_block)
{
    if (count == 0)
        return 0;
    return p[count - 1] + totals[(count - 1) / per_block];
}

kernel void differences(global const int* p, global const int* totals, global const int* bounds, global int* sums, int per_block)
{
    const int g = get_global_id(0);
    sums[g] = prefix_at(p, totals, bounds[g + 1], per_block) - prefix_at(p, totals, bounds[g], per_block);
}
