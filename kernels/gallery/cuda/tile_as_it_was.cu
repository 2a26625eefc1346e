// Gallery: a tile carried to its place and not turned. The tiles of the array are transposed, the elements within each are as
// they were.

#define TILE 8

// N × N elements, a block of 64 threads for each tile.
extern "C" __global__ void transpose(const float *x, float *y)
{
  __shared__ float tile[TILE][TILE + 1];
  int lx = threadIdx.x % TILE, ly = threadIdx.x / TILE;
  int column = blockIdx.x % (N / TILE) * TILE, row = blockIdx.x / (N / TILE) * TILE;
  tile[ly][lx] = x[(row + ly) * N + column + lx];
  __syncthreads();
#ifdef RIGHT
  y[(column + ly) * N + row + lx] = tile[lx][ly];
#else
  y[(column + ly) * N + row + lx] = tile[ly][lx];
#endif
}
