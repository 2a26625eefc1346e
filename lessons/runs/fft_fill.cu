// A whole FFT of few points, to be filled in by hand: the points are taken in bit-reversed order, then the stages pair them.

extern "C" __global__ void load_reversed(const float2* x, float2* F, int bits) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int r = 0;
  for (int b = 0; b < bits; ++b) r = r << 1 | (g >> b & 1);
  F[g] = x[r];
}

extern "C" __global__ void stage(float2* F, int span) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = span / 2;
  int j = g % stride;
  int i0 = g / stride * span + j;
  int i1 = i0 + stride;
  float angle = -6.2831853f * j / span;
  float c = cosf(angle), s = sinf(angle);
  float2 a = F[i0], b = F[i1];
  float2 t = make_float2(c * b.x - s * b.y, c * b.y + s * b.x);
  F[i0] = make_float2(a.x + t.x, a.y + t.y);
  F[i1] = make_float2(a.x - t.x, a.y - t.y);
}
