kernel void count_c11(global const int *v, volatile global atomic_uint *bins, int n, int nbins)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int b = clamp(v[i] >> 5, 0, nbins - 1);
        atomic_fetch_add_explicit(&bins[b], 1u, memory_order_relaxed, memory_scope_device);
    }
}

kernel void shift5(global const int *v, global int *w) { w[get_global_id(0)] = v[get_global_id(0)] >> 5; }

kernel void slow(global const int *w, global uint *bins, int n)
{
    uint c = 0;
    for (int i = 0; i < n; i++) c += w[i] == get_global_id(0);
    bins[get_global_id(0)] = c;
}
