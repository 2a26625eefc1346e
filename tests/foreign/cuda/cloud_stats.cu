#include <cooperative_groups.h>
using namespace cooperative_groups;

// Bounding box and (fixed point) centroid sums of a 2D point cloud.
// Floats are mapped to unsigned in an order-preserving way, so plain integer atomics do min and max.

struct Stats
{
    unsigned min_x, min_y;
    unsigned max_x, max_y;
    int sum_x, sum_y;
};

constexpr float kFixed = 4096.0f;
constexpr float kHuge = 3.0e38f;
constexpr int kTile = 16;

__device__ unsigned encode(float f)
{
    const unsigned u = __float_as_uint(f);
    return (u & 0x80000000u) ? ~u : (u | 0x80000000u);
}

__device__ float decode(unsigned u)
{
    return __uint_as_float((u & 0x80000000u) ? (u & 0x7fffffffu) : ~u);
}

__global__ void stats_init(unsigned* s)
{
    s[threadIdx.x] = threadIdx.x < 2 ? 0xffffffffu : 0u;
}

__global__ void stats_gather(const float2* points, int count, float2 origin, Stats* result)
{
    grid_group grid = this_grid();
    thread_block block = this_thread_block();
    auto tile = tiled_partition<kTile>(block);

    float2 lo = make_float2(kHuge, kHuge);
    float2 hi = make_float2(-kHuge, -kHuge);
    int2 sum = make_int2(0, 0);

    for (int i = grid.thread_rank(); i < count; i += grid.size())
    {
        const float2 p = make_float2(points[i].x - origin.x, points[i].y - origin.y);
        lo.x = fminf(lo.x, p.x);
        lo.y = fminf(lo.y, p.y);
        hi.x = fmaxf(hi.x, p.x);
        hi.y = fmaxf(hi.y, p.y);
        sum.x += __float2int_rn(p.x * kFixed);
        sum.y += __float2int_rn(p.y * kFixed);
    }

    for (int d = kTile / 2; d > 0; d >>= 1)
    {
        lo.x = fminf(lo.x, tile.shfl_down(lo.x, d));
        lo.y = fminf(lo.y, tile.shfl_down(lo.y, d));
        hi.x = fmaxf(hi.x, tile.shfl_down(hi.x, d));
        hi.y = fmaxf(hi.y, tile.shfl_down(hi.y, d));
        sum.x += tile.shfl_down(sum.x, d);
        sum.y += tile.shfl_down(sum.y, d);
    }

    if (tile.thread_rank() == 0)
    {
        atomicMin(&result->min_x, encode(lo.x));
        atomicMin(&result->min_y, encode(lo.y));
        atomicMax(&result->max_x, encode(hi.x));
        atomicMax(&result->max_y, encode(hi.y));
        atomicAdd(&result->sum_x, sum.x);
        atomicAdd(&result->sum_y, sum.y);
    }
}

// box: min x, min y, max x, max y, mean x, mean y
__global__ void stats_finish(const Stats* s, float* box, int count)
{
    box[0] = decode(s->min_x);
    box[1] = decode(s->min_y);
    box[2] = decode(s->max_x);
    box[3] = decode(s->max_y);
    box[4] = s->sum_x / (kFixed * count);
    box[5] = s->sum_y / (kFixed * count);
}

__global__ void stats_reference(const float2* points, int count, float2 origin, float* box)
{
    float x0 = points[0].x - origin.x, x1 = x0, y0 = points[0].y - origin.y, y1 = y0;
    double mx = 0, my = 0;
    for (int i = 0; i < count; ++i)
    {
        const float x = points[i].x - origin.x, y = points[i].y - origin.y;
        if (x < x0) x0 = x;
        if (x > x1) x1 = x;
        if (y < y0) y0 = y;
        if (y > y1) y1 = y;
        mx += rint(x * 4096.0);
        my += rint(y * 4096.0);
    }
    box[0] = x0; box[1] = y0; box[2] = x1; box[3] = y1;
    box[4] = (float)(mx / 4096 / count);
    box[5] = (float)(my / 4096 / count);
}
