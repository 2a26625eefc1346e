// Scan of many blocks in three launches; tiles of cooperative groups inside.
#include <cooperative_groups.h>
using namespace cooperative_groups;

template <class Tile>
__device__ float tile_scan(Tile tile, float v)
{
  for (unsigned d = 1; d < tile.size(); d *= 2) {
    float o = tile.shfl_up(v, d);
    if (tile.thread_rank() >= d) v += o;
  }
  return v;
}

__global__ void scan_tiles(const float *in, float *out, float *sums)
{
  thread_block block = this_thread_block();
  thread_block_tile<16> tile = tiled_partition<16>(block);
  const unsigned g = blockIdx.x * blockDim.x + block.thread_rank();
  float v = tile_scan(tile, in[g]);
  out[g] = v;
  if (tile.thread_rank() == tile.size() - 1) sums[g / 16] = v;
}

__global__ void scan_sums(float *sums, int count)
{
  auto tile = tiled_partition<32>(this_thread_block());
  float carry = 0.f;
  for (int base = 0; base < count; base += 32) {
    const int i = base + tile.thread_rank();
    float v = i < count ? sums[i] : 0.f;
    v = tile_scan(tile, v) + carry;
    if (i < count) sums[i] = v;
    carry = tile.shfl(v, 31);
  }
}

__global__ void add_offsets(float *out, const float *sums)
{
  const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= 16) out[g] += sums[g / 16 - 1];
}
