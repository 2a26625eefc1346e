// Gallery: lanes that are believed to go in step. The last six rounds of a sum are done without barriers, because 32 items were
// once a warp that executed one instruction together; no language promises that.

// One block of 64 threads.
extern "C" __global__ void sum(const int *x, int *total)
{
  __shared__ int s[64];
  int l = threadIdx.x, mine = 0;
  for (int i = l; i < N; i += 64)
    mine += x[i];
  s[l] = mine;
  for (int d = 32; d > 0; d /= 2) {
#ifdef RIGHT
    __syncthreads();
#else
    if (d == 32)
      __syncthreads();
#endif
    if (l < d)
      s[l] += s[l + d];
  }
  if (l == 0)
    total[0] = s[0];
}
