// Radix sort in one block, one bit at a time: the "split" primitive.
template <int THREADS>
__device__ unsigned prefix_of_flags(unsigned flag, unsigned* scratch, unsigned& total)
{
    const unsigned t = threadIdx.x;
    scratch[t] = flag;
    __syncthreads();
    for (unsigned d = 1; d < THREADS; d *= 2) {
        unsigned add = t >= d ? scratch[t - d] : 0u;
        __syncthreads();
        scratch[t] += add;
        __syncthreads();
    }
    total = scratch[THREADS - 1];
    return scratch[t] - flag;
}

extern "C" __global__ void split_sort(const unsigned* keys_in, unsigned* keys_out, int n)
{
    constexpr int THREADS = 64;
    __shared__ unsigned keys[THREADS];
    __shared__ unsigned scratch[THREADS];

    const unsigned t = threadIdx.x;
    unsigned key = t < n ? keys_in[t] : 0xffffffffu;

    for (int bit = 0; bit < 32; ++bit) {
        const unsigned is_zero = ((key >> bit) & 1u) ^ 1u;
        unsigned zeros;
        const unsigned before = prefix_of_flags<THREADS>(is_zero, scratch, zeros);
        const unsigned to = is_zero ? before : zeros + t - before;
        keys[to] = key;
        __syncthreads();
        key = keys[t];
    }
    if (t < n)
        keys_out[t] = key;
}
