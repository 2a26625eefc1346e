// Inclusive scan: warps by shuffles, warp totals by the first warp.
template <typename T>
__device__ T warp_inclusive(T v)
{
  const int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d <<= 1) {
    T up = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += up;
  }
  return v;
}

__global__ void block_scan(const int *in, int *out, int n)
{
  __shared__ int totals[32];
  const int i = threadIdx.x;
  const int lane = i & 31, warp = i >> 5;

  int v = i < n ? in[i] : 0;
  v = warp_inclusive(v);
  if (lane == 31) totals[warp] = v;
  __syncthreads();

  if (warp == 0) {
    int t = lane < (blockDim.x >> 5) ? totals[lane] : 0;
    t = warp_inclusive(t);
    totals[lane] = t;
  }
  __syncthreads();

  if (warp > 0) v += totals[warp - 1];
  if (i < n) out[i] = v;
}
