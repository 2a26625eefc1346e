// Exclusive scan of one block: every thread owns ITEMS consecutive values, warps scan with shuffles.
#define ITEMS 5
#define FULL 0xffffffffu

__device__ int warp_inclusive(int v)
{
  const int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d <<= 1) {
    int up = __shfl_up_sync(FULL, v, d);
    if (lane >= d)
      v += up;
  }
  return v;
}

extern "C" __global__ void scan_exclusive(const int *in, int *out, int n)
{
  __shared__ int warp_sums[32];
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const int begin = tid * ITEMS;

  int mine[ITEMS], total = 0;
#pragma unroll
  for (int i = 0; i < ITEMS; i++) {
    mine[i] = begin + i < n ? in[begin + i] : 0;
    total += mine[i];
  }

  int run = warp_inclusive(total);
  if (lane == 31)
    warp_sums[warp] = run;
  __syncthreads();

  if (warp == 0) {
    int s = lane < blockDim.x / 32 ? warp_sums[lane] : 0;
    s = warp_inclusive(s);
    warp_sums[lane] = s;
  }
  __syncthreads();

  int offset = run - total;
  if (warp > 0)
    offset += warp_sums[warp - 1];

  for (int i = 0; i < ITEMS; i++) {
    if (begin + i < n)
      out[begin + i] = offset;
    offset += mine[i];
  }
}
