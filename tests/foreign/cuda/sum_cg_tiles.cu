// Sum with tiles of 8 and shared memory of the tiles' leaders; 3-D blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void sum_volume(const float *v, float *per_block, int nx, int ny, int nz)
{
    auto block = cg::this_thread_block();
    auto tile8 = cg::tiled_partition<8>(block);
    __shared__ float leaders[8];

    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;

    float value = 0.0f;
    if (x < nx && y < ny && z < nz) value = v[(z * ny + y) * nx + x];

    for (int i = tile8.size() / 2; i > 0; i /= 2) value += tile8.shfl_down(value, i);
    if (tile8.thread_rank() == 0) leaders[block.thread_rank() / 8] = value;
    block.sync();

    if (block.thread_rank() < 8) {
        float total = leaders[tile8.thread_rank()];
        for (int i = 4; i > 0; i >>= 1) total += tile8.shfl_xor(total, i);
        if (block.thread_rank() == 0)
            per_block[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = total;
    }
}

__global__ void sum_partials(const float *p, float *out, int n)
{
    float s = 0.f;
    for (int i = 0; i < n; ++i) s += p[i];
    *out = s;
}
