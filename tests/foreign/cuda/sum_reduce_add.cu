// Hardware warp reduction of integers, rows of a matrix, a warp a row.
extern "C" __global__ void row_sums(const int *__restrict__ m, int *__restrict__ sums, int rows, int cols)
{
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  int mine = 0;
  for (const int *p = m + row * cols + lane, *end = m + (row + 1) * cols; p < end; p += 32) mine += *p;
  const int total = __reduce_add_sync(0xFFFFFFFF, mine);
  if (lane == 0) sums[row] = total;
}
