// Random points in the unit square, counted by shells of their distance from the corner: pi four times the ones within 1.
// Philox 2x32 with ten rounds; point c is what the counter c gives, in whichever thread it is drawn.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace philox {
__device__ constexpr unsigned multiplier = 0xD256D193u;
__device__ constexpr unsigned weyl = 0x9E3779B9u;

__device__ inline uint2 draw(uint2 counter, unsigned key)
{
    #pragma unroll
    for (int round = 0; round < 10; ++round) {
        const unsigned hi = __umulhi(multiplier, counter.x);
        const unsigned lo = multiplier * counter.x;
        counter = make_uint2(hi ^ key ^ counter.y, lo);
        key += weyl;
    }
    return counter;
}
}  // namespace philox

// 24 bits as a number in [0, 1)
__device__ inline float unit(unsigned bits) { return (bits >> 8) * (1.0f / 16777216.0f); }

// Shells end at 1/2, 1 and sqrt(2): 0, 1, 2.
__device__ inline int shell(float x, float y)
{
    const float d = x * x + y * y;
    return d < 0.25f ? 0 : d < 1.0f ? 1 : 2;
}

template <int PER_THREAD>
__global__ void shells(unsigned *counts, unsigned points, unsigned seed)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine[3] = {0, 0, 0};

    for (int k = 0; k < PER_THREAD; ++k) {
        const unsigned c = me + k * threads;
        if (c >= points) break;
        const uint2 r = philox::draw(make_uint2(c, 0), seed);
        ++mine[shell(unit(r.x), unit(r.y))];
    }

    for (int s = 0; s < 3; ++s) {
        unsigned sum = mine[s];
        for (int lanes = warp.size() / 2; lanes > 0; lanes /= 2)
            sum += warp.shfl_down(sum, lanes);
        if (warp.thread_rank() == 0)
            atomicAdd(&counts[s], sum);
    }
}

// One thread, one point after another, wide products.
__global__ void shells_serial(unsigned *counts, unsigned points, unsigned seed)
{
    unsigned found[3] = {};
    for (unsigned c = 0; c < points; ++c) {
        unsigned l = c, r = 0, key = seed;
        for (int i = 0; i < 10; ++i) {
            const unsigned long long wide = 0xD256D193ull * l;
            l = static_cast<unsigned>(wide >> 32) ^ key ^ r;
            r = static_cast<unsigned>(wide);
            key += 0x9E3779B9u;
        }
        const double x = (l >> 8) / 16777216.0, y = (r >> 8) / 16777216.0;
        const double d = x * x + y * y;
        found[(d >= 0.25) + (d >= 1.0)]++;
    }
    for (int s = 0; s < 3; ++s) counts[s] = found[s];
}
