/* Transpose with diagonal block order (Ruetsch and Micikevicius): blocks that run together touch different partitions. */
#define DIM 16
#define ROWS 4

__global__ void transposeDiagonal(float *out, const float *in, int width, int height)
{
  __shared__ float tile[DIM][DIM + 1];
  int bx, by;
  if (width == height) {
    by = blockIdx.x;
    bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    const int bid = blockIdx.x + gridDim.x * blockIdx.y;
    by = bid % gridDim.y;
    bx = (bid / gridDim.y + by) % gridDim.x;
  }
  int x = bx * DIM + threadIdx.x;
  int y = by * DIM + threadIdx.y;
  const int from = x + y * width;
  x = by * DIM + threadIdx.x;
  y = bx * DIM + threadIdx.y;
  const int to = x + y * height;

  for (int i = 0; i < DIM; i += ROWS)
    tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
  __syncthreads();
  for (int i = 0; i < DIM; i += ROWS)
    out[to + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
