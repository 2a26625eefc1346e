// A warp transforms 32 points, one per lane, with shuffles only.
#define FULL 0xffffffffu

__device__ float2 shfl_xor2(float2 v, int m)
{
  v.x = __shfl_xor_sync(FULL, v.x, m);
  v.y = __shfl_xor_sync(FULL, v.y, m);
  return v;
}

__global__ void warp_fft(const float2 *x, float2 *y, unsigned count)
{
  unsigned lane = threadIdx.x & 31;
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (warp >= count) return;

  float2 v = x[warp * 32 + lane];

  #pragma unroll
  for (int half = 16; half >= 1; half >>= 1) {
    float2 o = shfl_xor2(v, half);
    bool upper = lane & half;
    float2 d = upper ? make_float2(o.x - v.x, o.y - v.y) : make_float2(v.x + o.x, v.y + o.y);
    float s = 0.f, c = 1.f;
    if (upper) sincospif(-(float)(lane & (half - 1)) / half, &s, &c);
    v = make_float2(d.x * c - d.y * s, d.x * s + d.y * c);
  }

  y[warp * 32 + (__brev(lane) >> 27)] = v;
}
