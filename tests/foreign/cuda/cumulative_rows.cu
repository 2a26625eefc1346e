// Prefix sums along the rows of an image, a thread a row, tile read and written coalesced (summed-area table, first pass, then columns).
#define T 16

__global__ void rows_scan(const unsigned *img, unsigned *sat, int w, int h)
{
  __shared__ unsigned tile[T][T + 1];
  const int y0 = blockIdx.x * T;
  unsigned carry = 0;
  for (int x0 = 0; x0 < w; x0 += T) {
    if (y0 + threadIdx.y < h && x0 + threadIdx.x < w) tile[threadIdx.y][threadIdx.x] = img[(y0 + threadIdx.y) * w + x0 + threadIdx.x];
    else tile[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.y == 0)
      for (int i = 0; i < T; ++i) carry = tile[threadIdx.x][i] += carry;
    __syncthreads();
    if (y0 + threadIdx.y < h && x0 + threadIdx.x < w) sat[(y0 + threadIdx.y) * w + x0 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
    __syncthreads();
  }
}
