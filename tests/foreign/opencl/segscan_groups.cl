// Scan by key over more than one work-group (sum restarts wherever the key changes).
// pass 1: blocks, pass 2: block carries, pass 3: give the carry to the open head of each block

typedef struct { int v; int f; } fv_t;   /* value, "a segment starts in here" */

static inline fv_t seg_op(fv_t l, fv_t r)
{
    fv_t o;
    o.v = r.f ? r.v : l.v + r.v;
    o.f = l.f | r.f;
    return o;
}

/* segments of growing length: 0 0 1 1 1 1 2 2 ... */
__kernel void make_keys(__global int *keys, const uint n)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    int k = 0;
    while (10 * (k + 1) * (k + 1) <= 7 * (int)i) k++;
    keys[i] = k;
}

__kernel void block_segscan(__global const int *data, __global const int *keys,
                            __global int *out, __global uchar *closed,
                            __global int2 *carry, const uint n, __local fv_t *sm)
{
    const uint gid = get_global_id(0);
    const uint lid = get_local_id(0);
    const uint wg  = get_local_size(0);

    fv_t me = { 0, 0 };
    if (gid < n) {
        me.v = data[gid];
        me.f = (gid == 0) || keys[gid] != keys[gid - 1];
    }
    sm[lid] = me;

    for (uint d = 1; d < wg; d <<= 1) {
        fv_t left = { 0, 0 };
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid >= d) left = sm[lid - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid >= d) {
            me = seg_op(left, me);
            sm[lid] = me;
        }
    }

    if (gid < n) {
        out[gid] = me.v;
        closed[gid] = me.f;
    }
    if (lid == wg - 1)
        carry[get_group_id(0)] = (int2)(me.v, me.f);
}

__kernel void carry_segscan(__global int2 *carry, const uint groups)
{
    int run = 0;
    for (uint g = 0; g < groups; ++g) {
        const int2 c = carry[g];
        carry[g].x = run;
        run = c.y ? c.x : run + c.x;
    }
}

__kernel void add_carry(__global int *out, __global const uchar *closed,
                        __global const int2 *carry, const uint n)
{
    const uint gid = get_global_id(0);
    if (gid < n && !closed[gid])
        out[gid] += carry[get_group_id(0)].x;
}

__kernel void reference(__global const int *data, __global int *want, const uint n)
{
    for (uint i = 0; i < n; ++i) {
        int s = 0;
        for (uint j = 0; j <= i; ++j) {
            const int ki = (int)floor(sqrt((float)(7 * i) / 10.0f));
            const int kj = (int)floor(sqrt((float)(7 * j) / 10.0f));
            if (ki == kj) s += data[j];
        }
        want[i] = s;
    }
}
