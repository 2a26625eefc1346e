/*
 * Single pass scan: group numbers are handed out by a ticket, so that the group
 * before is always one that has started.  flag 0: nothing, 1: prefix is there.
 */
#define WG 8
__kernel void chained(__global const uint *in, __global uint *out,
                      volatile __global uint *flag, volatile __global uint *prefix, volatile __global uint *ticket)
{
    __local uint s[WG];
    __local uint part, carry;
    const uint t = get_local_id(0);
    if (t == 0)
        part = atomic_inc(ticket);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint g = part * WG + t;
    s[t] = in[g];
    for (uint d = 1; d < WG; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint v = t >= d ? s[t - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[t] += v;
    }
    if (t == WG - 1) {
        uint before = 0;
        if (part > 0) {
            while (atomic_add(&flag[part - 1], 0) == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            before = prefix[part - 1];
        }
        prefix[part] = before + s[t];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&flag[part], 1);
        carry = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[t] + carry;
}
