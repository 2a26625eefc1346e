#define MAXN 32
/* one work-item = one line. step = distance between points, pitch = distance between lines */
static void fft_private(float2 *a, int n)
{
   for (int i = 1, j = 0; i < n; i++) {
      int bit = n >> 1;
      for (; j & bit; bit >>= 1)
         j ^= bit;
      j ^= bit;
      if (i < j) { float2 t = a[i]; a[i] = a[j]; a[j] = t; }
   }
   for (int len = 2; len <= n; len <<= 1) {
      const float ang = -2 * M_PI_F / len;
      const float2 wlen = (float2)(cos(ang), sin(ang));
      for (int i = 0; i < n; i += len) {
         float2 w = (float2)(1, 0);
         for (int j = 0; j < len / 2; j++) {
            float2 u = a[i+j], v = a[i+j+len/2];
            v = (float2)(v.x*w.x - v.y*w.y, v.x*w.y + v.y*w.x);
            a[i+j] = u + v;
            a[i+j+len/2] = u - v;
            w = (float2)(w.x*wlen.x - w.y*wlen.y, w.x*wlen.y + w.y*wlen.x);
         }
      }
   }
}

__kernel void lines(__global float2 *img, int n, int step, int pitch)
{
   float2 a[MAXN];
   __global float2 *p = img + get_global_id(0) * pitch;
   for (int i = 0; i < n; i++)
      a[i] = p[i * step];
   fft_private(a, n);
   for (int i = 0; i < n; i++)
      p[i * step] = a[i];
}
