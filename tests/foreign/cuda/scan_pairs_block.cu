#include <cstdint>

// Exclusive prefix sum in three launches, with a block-wide primitive in the manner of the big libraries.

template <typename T, int THREADS>
struct BlockScan
{
    static constexpr int WARPS = THREADS / 32;
    static_assert(THREADS % 32 == 0, "whole warps");

    struct TempStorage { T warp_sum[WARPS]; };

    TempStorage &temp;
    const int lane, warp;

    __device__ explicit BlockScan(TempStorage &t)
        : temp(t), lane(threadIdx.x % 32), warp(threadIdx.x / 32) {}

    // returns the sum of v over all lower threads, and in total that over all threads
    __device__ T Exclusive(T v, T &total)
    {
        T inclusive = v;
        #pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const T below = __shfl_up_sync(0xffffffffu, inclusive, d);
            if (lane >= d) inclusive += below;
        }

        if (lane == 31) temp.warp_sum[warp] = inclusive;
        __syncthreads();

        T base = 0;
        total = 0;
        #pragma unroll
        for (int w = 0; w < WARPS; ++w) {
            if (w == warp) base = total;
            total += temp.warp_sum[w];
        }
        return base + inclusive - v;
    }
};

constexpr int kThreads = 64;
constexpr int kTile = 2 * kThreads;

using Scan = BlockScan<int32_t, kThreads>;

__global__ void ScanTiles(const int32_t *in, int32_t *out, int32_t *tile_sum, int n)
{
    __shared__ Scan::TempStorage temp;
    const int i = blockIdx.x * kTile + 2 * threadIdx.x;

    const int32_t a = i < n ? in[i] : 0;
    const int32_t b = i + 1 < n ? in[i + 1] : 0;

    int32_t total;
    const int32_t before = Scan(temp).Exclusive(a + b, total);

    if (i < n) out[i] = before;
    if (i + 1 < n) out[i + 1] = before + a;
    if (threadIdx.x == 0) tile_sum[blockIdx.x] = total;
}

// one block, at most kThreads tiles
__global__ void ScanSums(int32_t *tile_sum, int tiles)
{
    __shared__ Scan::TempStorage temp;
    const int32_t v = threadIdx.x < tiles ? tile_sum[threadIdx.x] : 0;
    int32_t total;
    const int32_t before = Scan(temp).Exclusive(v, total);
    if (threadIdx.x < tiles) tile_sum[threadIdx.x] = before;
}

__global__ void AddBase(int32_t *out, const int32_t *tile_sum, int n)
{
    const int i = blockIdx.x * kTile + threadIdx.x;
    const int32_t base = tile_sum[blockIdx.x];
    if (i < n) out[i] += base;
    if (i + kThreads < n) out[i + kThreads] += base;
}
