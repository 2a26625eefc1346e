// Stream compaction that keeps the order: ballots in warps, a tiny scan over warps, one block.
struct IsPositive {
    __device__ bool operator()(int v) const { return v > 0; }
};

template <class Predicate>
__device__ int copy_if_block(const int *in, int *out, int n, Predicate keep)
{
    __shared__ int warp_base[8];
    __shared__ int running;
    const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
    if (threadIdx.x == 0) running = 0;
    __syncthreads();

    for (int base = 0; base < n; base += blockDim.x) {
        const int i = base + threadIdx.x;
        const int v = i < n ? in[i] : 0;
        const bool k = i < n && keep(v);
        const unsigned ballot = __ballot_sync(~0u, k);
        if (lane == 0) warp_base[warp] = __popc(ballot);
        __syncthreads();
        if (threadIdx.x == 0) {
            int sum = running;
            for (unsigned w = 0; w < blockDim.x / 32; ++w) { int c = warp_base[w]; warp_base[w] = sum; sum += c; }
            running = sum;
        }
        __syncthreads();
        if (k) out[warp_base[warp] + __popc(ballot & ((1u << lane) - 1u))] = v;
        __syncthreads();
    }
    return running;
}

__global__ void compact(const int *in, int *out, int *count, int n)
{
    const int kept = copy_if_block(in, out, n, IsPositive{});
    if (threadIdx.x == 0) *count = kept;
}
