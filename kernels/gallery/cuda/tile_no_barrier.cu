// Gallery: no barrier between filling a tile and reading it by columns: what an item reads, another one may not have loaded
// yet.

#define TILE 8

// N × N elements, a block of 64 threads for each tile.
extern "C" __global__ void transpose(const float *x, float *y)
{
  __shared__ float tile[TILE][TILE + 1];
  int lx = threadIdx.x % TILE, ly = threadIdx.x / TILE;
  int column = blockIdx.x % (N / TILE) * TILE, row = blockIdx.x / (N / TILE) * TILE;
  tile[ly][lx] = x[(row + ly) * N + column + lx];
#ifdef RIGHT
  __syncthreads();
#endif
  y[(column + ly) * N + row + lx] = tile[lx][ly];
}
