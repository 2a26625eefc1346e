// The same transpose in CUDA C++, for NVIDIA GPUs (--runtime cuda) and for this machine's processor (--runtime host), where
// wrong indices and barriers are caught at the work-item. To write OpenCL alone, delete this file; to write CUDA alone, delete
// mine.cl.

// Blocks of TILE × TILE, as many as cover the array. A row of the tile is one element longer than it needs to be, so that a
// column of it is in as many banks.
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
  __shared__ float tile[TILE][TILE + 1];
  int lx = threadIdx.x, ly = threadIdx.y;
  int x = blockIdx.x * TILE + lx, y = blockIdx.y * TILE + ly;
  if (x < columns && y < rows)
    tile[ly][lx] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * TILE + lx;
  y = blockIdx.x * TILE + ly;
  if (x < rows && y < columns)
    out[y * rows + x] = tile[lx][ly];
}
