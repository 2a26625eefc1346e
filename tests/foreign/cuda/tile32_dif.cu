#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// 32-point FFTs, one per warp, one point per lane, no shared memory at all.
// Decimation in frequency; the bit reversal is folded into the final store.

using Warp = cg::thread_block_tile<32>;

__device__ float2 exchange(const Warp& warp, float2 v, unsigned distance)
{
    return { warp.shfl_xor(v.x, distance), warp.shfl_xor(v.y, distance) };
}

__device__ float2 rotate(float2 v, float halfTurns)
{
    float s, c;
    sincospif(halfTurns, &s, &c);
    return { v.x * c - v.y * s, v.x * s + v.y * c };
}

__device__ float2 fft32(const Warp& warp, float2 v)
{
    const unsigned lane = warp.thread_rank();

    for (unsigned half = 16; half > 0; half >>= 1) {
        const float2 other = exchange(warp, v, half);
        if (lane & half) {
            const float2 diff = { other.x - v.x, other.y - v.y };
            v = rotate(diff, -float(lane & (half - 1)) / half);
        } else {
            v = { v.x + other.x, v.y + other.y };
        }
    }
    return v;
}

extern "C" __global__ void fft32_batch(const float2* __restrict__ src, float2* __restrict__ dst, int batches)
{
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);

    const int warpsPerBlock = blockDim.x / 32;
    const int first = blockIdx.x * warpsPerBlock + threadIdx.x / 32;
    const int step = gridDim.x * warpsPerBlock;

    for (int b = first; b < batches; b += step) {
        const float2 v = fft32(warp, src[b * 32 + warp.thread_rank()]);
        dst[b * 32 + (__brev(warp.thread_rank()) >> 27)] = v;
    }
}
