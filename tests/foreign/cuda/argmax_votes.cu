// Winner of each row: the largest value, of equal ones the leftmost. A block per row.

template <typename T>
struct Best {
    T   value;
    int index;
};

template <typename T>
__device__ Best<T> better(Best<T> a, Best<T> b)
{
    if (b.value > a.value || (b.value == a.value && b.index < a.index)) return b;
    return a;
}

template <typename T>
__device__ Best<T> from_lane_above(Best<T> b, int distance)
{
    b.value = __shfl_down_sync(0xffffffff, b.value, distance);
    b.index = __shfl_down_sync(0xffffffff, b.index, distance);
    return b;
}

template <typename T, int BLOCK>
__global__ void winners(const T *votes, int *winner, int cols)
{
    constexpr int NWARPS = BLOCK / 32;
    __shared__ Best<T> per_warp[NWARPS];

    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const T *row = votes + blockIdx.x * cols;

    Best<T> best = { row[0], 0 };
    for (int c = threadIdx.x; c < cols; c += BLOCK) {
        Best<T> candidate = { row[c], c };
        best = better(best, candidate);
    }

    for (int d = 16; d >= 1; d /= 2)
        best = better(best, from_lane_above(best, d));

    if (lane == 0)
        per_warp[warp] = best;
    __syncthreads();

    if (warp == 0) {
        best = per_warp[lane < NWARPS ? lane : 0];
        for (int d = NWARPS / 2; d >= 1; d /= 2)
            best = better(best, from_lane_above(best, d));
        if (lane == 0)
            winner[blockIdx.x] = best.index;
    }
}

template __global__ void winners<int, 128>(const int *, int *, int);
