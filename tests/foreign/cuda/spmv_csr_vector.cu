// y = A x, CSR, a quarter warp (8 lanes) a row; compared with the plain kernel of one thread a row.
#define LANES 8

template <typename V>
__global__ void csr_vector(const int *__restrict__ ptr, const int *__restrict__ col, const V *__restrict__ val,
                           const V *__restrict__ x, V *__restrict__ y, int rows)
{
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & (LANES - 1);
  const int row = thread / LANES;

  V sum = 0;
  if (row < rows)
    for (int k = ptr[row] + lane; k < ptr[row + 1]; k += LANES) sum += val[k] * __ldg(x + col[k]);
  for (int d = LANES / 2; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d, LANES);
  if (row < rows && lane == 0) y[row] = sum;
}

__global__ void csr_scalar(const int *ptr, const int *col, const float *val, const float *x, float *y, int rows)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float dot = 0.f;
    for (int jj = ptr[row]; jj < ptr[row + 1]; jj++)
      dot += val[jj] * x[col[jj]];
    y[row] = dot;
  }
}
