typedef struct pair_s { float val; int idx; } pair_t;

static pair_t better(pair_t a, pair_t b)
{
    if (a.val > b.val) return a;
    if (b.val > a.val) return b;
    return a.idx < b.idx ? a : b;
}

__kernel void arg_max(__global const float *x, __global int *where, __local pair_t *p, int n)
{
    const int lid = get_local_id(0);
    pair_t acc = { -INFINITY, -1 };
    for (int i = lid; i < n; i += get_local_size(0)) {
        pair_t cand = { x[i], i };
        acc = better(acc, cand);
    }
    p[lid] = acc;
    for (int s = get_local_size(0) >> 1; s >= 1; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s) p[lid] = better(p[lid], p[lid + s]);
    }
    if (lid == 0) *where = p->idx;
}
