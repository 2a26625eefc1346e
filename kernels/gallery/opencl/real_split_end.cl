// Gallery: the mirrored bin of bin 0. A real transform is taken from half as many complex bins and their mirror images, Z[k]
// and Z[N/2 − k]; of bin 0 the mirror image is bin 0, not bin N/2, which is not there.

#include "../../opencl/complex.h"

// H = N/2 items: the transform of H complex points, two real ones each.
kernel void packed(global const float *x, global real2 *Z)
{
  int k = get_global_id(0);
  real2 sum = (float2)(0, 0);
  for (int j = 0; j < H; j++)
    sum = sum + multiply(twiddle(j * k % H, H, -1), (float2)(x[2 * j], x[2 * j + 1]));
  Z[k] = sum;
}

// H items: bins 0 … H of the real points.
kernel void split(global const real2 *Z, global real2 *X)
{
  int k = get_global_id(0);
#ifdef RIGHT
  real2 a = Z[k], b = Z[(H - k) % H];
#else
  real2 a = Z[k], b = Z[H - k];
#endif
  real2 even = (float2)((a.x + b.x) / 2, (a.y - b.y) / 2);
  real2 odd = (float2)((a.y + b.y) / 2, (b.x - a.x) / 2);
  X[k] = even + multiply(twiddle(k, 2 * H, -1), odd);
  if (k == 0)
    X[H] = even - odd;
}
