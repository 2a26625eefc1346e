// Haar, all levels, a warp per row of 64: pairs in registers, lanes pass the averages on by shuffles.
__global__ void haar_rows(const float *in, float *out, int rows)
{
  const int lane = threadIdx.x & 31;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (row >= rows) return;
  const float c = 0.70710678f;
  const float *src = in + row * 64;
  float *dst = out + row * 64;

  float left = src[2 * lane], right = src[2 * lane + 1];
  for (int n = 32; n >= 1; n >>= 1) {
    const float avg = (left + right) * c;
    const float diff = (left - right) * c;
    if (lane < n) dst[n + lane] = diff;
    left = __shfl_sync(0xffffffff, avg, (2 * lane) & 31);
    right = __shfl_sync(0xffffffff, avg, (2 * lane + 1) & 31);
    if (n == 1 && lane == 0) dst[0] = avg;
  }
}
