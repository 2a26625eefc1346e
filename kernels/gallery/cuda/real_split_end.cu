// Gallery: the mirrored bin of bin 0. A real transform is taken from half as many complex bins and their mirror images, Z[k]
// and Z[N/2 − k]; of bin 0 the mirror image is bin 0, not bin N/2, which is not there.

#include "../../cuda/complex.h"

// H = N/2 threads: the transform of H complex points, two real ones each.
extern "C" __global__ void packed(const float *x, real2 *Z)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  real2 sum = make_float2(0, 0);
  for (int j = 0; j < H; j++)
    sum = sum + twiddle(j * k % H, H, -1) * make_float2(x[2 * j], x[2 * j + 1]);
  Z[k] = sum;
}

// H threads: bins 0 … H of the real points.
extern "C" __global__ void split(const real2 *Z, real2 *X)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
  real2 a = Z[k], b = Z[(H - k) % H];
#else
  real2 a = Z[k], b = Z[H - k];
#endif
  real2 even = make_float2((a.x + b.x) / 2, (a.y - b.y) / 2);
  real2 odd = make_float2((a.y + b.y) / 2, (b.x - a.x) / 2);
  X[k] = even + twiddle(k, 2 * H, -1) * odd;
  if (k == 0)
    X[H] = even - odd;
}
