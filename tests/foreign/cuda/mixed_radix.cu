// Mixed radix Stockham: the factor of the pass comes as an argument (2, 3 or 5).
#ifndef MAXR
#define MAXR 5
#endif

__global__ void mixed_pass(const float2 *src, float2 *dst, int n, int radix, int done)
{
  int g = blockDim.x * blockIdx.x + threadIdx.x;
  int m = n / radix;
  if (g >= m) return;

  float2 v[MAXR];
  int k = g % done;
  for (int q = 0; q < radix; ++q) {
    float2 t = src[g + q * m];
    float ang = -6.28318530717958647692f * (float)(k * q) / (float)(done * radix);
    float c = cosf(ang), s = sinf(ang);
    v[q].x = t.x * c - t.y * s;
    v[q].y = t.x * s + t.y * c;
  }
  int base = (g / done) * done * radix + k;
  for (int p = 0; p < radix; ++p) {
    float re = 0.f, im = 0.f;
    for (int q = 0; q < radix; ++q) {
      float ang = -6.28318530717958647692f * (float)((p * q) % radix) / (float)radix;
      float c = cosf(ang), s = sinf(ang);
      re += v[q].x * c - v[q].y * s;
      im += v[q].x * s + v[q].y * c;
    }
    dst[base + p * done] = make_float2(re, im);
  }
}
