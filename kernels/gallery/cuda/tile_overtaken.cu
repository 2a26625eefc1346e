// Gallery: a tile that is filled again too early. A loop over tiles wants two barriers a round: one after filling, and one
// after use, before the next round fills it.

#define TILE 16

// One group of TILE threads: each one's sum over the whole of x, turned by its number.
extern "C" __global__ void turned_sums(const int *x, int *y)
{
  __shared__ int tile[TILE];
  int l = threadIdx.x, sum = 0;
  for (int first = 0; first < N; first += TILE) {
    tile[l] = x[first + l];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += (k + 1) * tile[(l + k) % TILE];
#ifdef RIGHT
    __syncthreads();
#endif
  }
  y[l] = sum;
}
