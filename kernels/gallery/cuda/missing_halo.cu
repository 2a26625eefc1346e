// Gallery: a tile without its halo. A filter of three taps wants one element beyond either end of the tile; no item loads these
// two.

#define TILE 16

// N threads in groups of TILE.
extern "C" __global__ void smooth(const float *x, float *y)
{
  __shared__ float tile[TILE + 2];
  int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  tile[l + 1] = x[i];
#ifdef RIGHT
  if (l == 0)
    tile[0] = i > 0 ? x[i - 1] : 0;
  if (l == TILE - 1)
    tile[TILE + 1] = i + 1 < N ? x[i + 1] : 0;
#endif
  __syncthreads();
  y[i] = tile[l] + 2 * tile[l + 1] + tile[l + 2];
}
