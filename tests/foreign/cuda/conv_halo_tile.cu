// 1-D convolution, "same" size, tile with a halo of RADIUS on both sides, taps in constant-like read-only memory.
#define RADIUS 3
#define TILE 32

__global__ void conv1d(const float * __restrict__ in, const float * __restrict__ taps, float * __restrict__ out, int n)
{
  __shared__ float tile[TILE + 2 * RADIUS];

  int g = blockIdx.x * TILE + threadIdx.x;
  int l = threadIdx.x + RADIUS;

  tile[l] = g < n ? in[g] : 0.0f;
  if (threadIdx.x < RADIUS) {
    int left = g - RADIUS;
    int right = g + TILE;
    tile[l - RADIUS] = left >= 0 && left < n ? in[left] : 0.0f;
    tile[l + TILE] = right < n ? in[right] : 0.0f;
  }
  __syncthreads();

  if (g < n) {
    float acc = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; ++k)
      acc += tile[l - k] * taps[k + RADIUS];
    out[g] = acc;
  }
}
