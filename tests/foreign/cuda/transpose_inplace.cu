// Square matrix in place: a block swaps tile (bx, by) with tile (by, bx); blocks below the diagonal have nothing to do.
template <unsigned T>
__global__ void transpose_square(double *m, unsigned n)
{
  __shared__ double a[T][T + 1], b[T][T + 1];
  const unsigned bx = blockIdx.x, by = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
  if (bx < by) return;
  const size_t here = (size_t)(by * T + y) * n + bx * T + x;
  const size_t there = (size_t)(bx * T + y) * n + by * T + x;
  a[y][x] = m[here];
  b[y][x] = m[there];
  __syncthreads();
  m[there] = a[x][y];
  if (bx != by) m[here] = b[x][y];
}
