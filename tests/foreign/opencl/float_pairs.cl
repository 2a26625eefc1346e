// The complex buffer is plain floats to the butterflies, and words to the permutation.
void cmul(float* re, float* im, float c, float s) { float t = *re * c - *im * s; *im = *re * s + *im * c; *re = t; }

__kernel void bitrev(__global const float2* in, __global float2* z, int bits) {
  uint i = get_global_id(0), r = 0;
  for (int b = 0; b < bits; b++) r = (r << 1) | ((i >> b) & 1);
  ((__global uint2*)z)[r] = as_uint2(in[i]);
}

__kernel void pass(__global float2* z, int h) {
  __global float* f = (__global float*)z;
  int g = get_global_id(0);
  int k = g & (h - 1);
  int a = ((g - k) << 1) + k, b = a + h;
  float re = f[2 * b], im = f[2 * b + 1];
  float c, s = sincos(-M_PI_F * k / h, &c);
  cmul(&re, &im, c, s);
  float xr = f[2 * a], xi = f[2 * a + 1];
  f[2 * a] = xr + re; f[2 * a + 1] = xi + im;
  f[2 * b] = xr - re; f[2 * b + 1] = xi - im;
}
