__kernel void bitonic(__global uint *a, __local uint *s)
{
    const uint i = get_local_id(0), n = get_local_size(0);
    s[i] = a[i];
    for (uint k = 2; k <= n; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint l = i ^ j;
            if (l > i) {
                const bool up = (i & k) == 0;
                const uint x = s[i], y = s[l];
                if ((x > y) == up) { s[i] = y; s[l] = x; }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = s[i];
}
