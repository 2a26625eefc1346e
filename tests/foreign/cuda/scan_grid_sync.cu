// Scan of a whole grid with grid.sync(): blocks scan, one block scans the totals, all add.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define THREADS 32

__device__ int block_exclusive(int v, int *scratch, int *total)
{
  const int t = threadIdx.x;
  scratch[t] = v;
  __syncthreads();
  for (int d = 1; d < THREADS; d <<= 1) {
    int add = 0;
    if (t >= d) add = scratch[t - d];
    __syncthreads();
    if (t >= d) scratch[t] += add;
    __syncthreads();
  }
  if (total != NULL) *total = scratch[THREADS - 1];
  return t == 0 ? 0 : scratch[t - 1];
}

__global__ void scan_grid(const int *in, int *out, int *totals)
{
  __shared__ int scratch[THREADS];
  cg::grid_group all = cg::this_grid();
  const int g = blockIdx.x * blockDim.x + threadIdx.x;

  int *mine = threadIdx.x == 0 ? totals + blockIdx.x : nullptr;
  const int before = block_exclusive(in[g], scratch, mine);
  all.sync();

  if (blockIdx.x == 0) {
    __syncthreads();
    const int v = threadIdx.x < gridDim.x ? totals[threadIdx.x] : 0;
    const int offset = block_exclusive(v, scratch, NULL);
    if (threadIdx.x < gridDim.x) totals[threadIdx.x] = offset;
  }
  all.sync();

  out[g] = before + totals[blockIdx.x];
}
