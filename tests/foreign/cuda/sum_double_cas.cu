// Sum in double precision with the compare-and-swap loop that everyone copies from the programming guide.
namespace detail {
__device__ double atomic_add(double *address, double val)
{
  unsigned long long int *address_as_ull = (unsigned long long int *)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
}

__global__ void sum_columns(const double *m, double *sums, int rows, int cols)
{
  __shared__ double part[8][8];
  const int c = blockIdx.x * 8 + threadIdx.x;
  double s = 0;
  if (c < cols)
    for (int r = blockIdx.y * 8 + threadIdx.y; r < rows; r += 8 * gridDim.y) s += m[r * cols + c];
  part[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.y == 0 && c < cols) {
    for (int k = 1; k < 8; ++k) s += part[k][threadIdx.x];
    detail::atomic_add(&sums[c], s);
  }
}
