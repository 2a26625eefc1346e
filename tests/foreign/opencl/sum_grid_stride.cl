void atomic_addf(volatile global float *target, const float v)
{
    union { uint u; float f; } old, new_;
    do {
        old.f = *target;
        new_.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)target, old.u, new_.u) != old.u);
}

kernel void total(global const float *x, int n, volatile global float *result)
{
    float4 acc4 = 0.0f;
    float acc;
    int i;
    for (i = get_global_id(0); i < n / 4; i += get_global_size(0))
        acc4 += vload4(i, x);
    acc = acc4.x + acc4.y + acc4.z + acc4.w;
    /* leftovers */
    if (get_global_id(0) < n % 4)
        acc += x[n / 4 * 4 + get_global_id(0)];
    atomic_addf(result, acc);
}
