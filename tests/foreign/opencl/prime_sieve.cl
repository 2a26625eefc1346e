__kernel void sieve(__global uint *is_prime, const uint limit)
{
    __local uint found;
    uint me = get_local_id(0), step = get_local_size(0), i = me;
    if (!me) found = 0;
    do {
        switch (i) {
        case 0:
        case 1:  is_prime[i] = 0; break;
        default: is_prime[i] = 1;
        }
        i += step;
    } while (i < limit);
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);

    for (uint p = 2; p * p < limit; ++p) {
        if (is_prime[p])
            for (uint m = p * (p + me); m < limit; m += p * step)
                is_prime[m] = 0;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (i = me; i < limit; i += step)
        if (is_prime[i]) atomic_inc(&found);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0 && found == 0) printf("no primes below %u\n", limit);
}
