#define ITEMS 16

// better(a, ia, b, ib): does b beat a? ties go to the smaller index
#define BETTER(a, ia, b, ib) ((b) > (a) || ((b) == (a) && (ib) < (ia)))

__kernel void find_max(__global const float *data, __global float *part_val, __global int *part_idx, int n)
{
    __local float vals[ITEMS];
    __local int   idxs[ITEMS];
    int lid = get_local_id(0);

    float best = -INFINITY;
    int   where = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (data[i] > best) {
            best = data[i];
            where = i;
        }
    }
    vals[lid] = best;
    idxs[lid] = where;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int step = ITEMS / 2; step > 0; step >>= 1) {
        if (lid < step) {
            if (BETTER(vals[lid], idxs[lid], vals[lid + step], idxs[lid + step])) {
                vals[lid] = vals[lid + step];
                idxs[lid] = idxs[lid + step];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        part_val[get_group_id(0)] = vals[0];
        part_idx[get_group_id(0)] = idxs[0];
    }
}

__kernel void pick(__global const float *part_val, __global const int *part_idx, int parts, __global int *result)
{
    int win = 0;
    for (int g = 1; g < parts; g++)
        if (BETTER(part_val[win], part_idx[win], part_val[g], part_idx[g]))
            win = g;
    *result = part_idx[win];
}
