// Each thread transforms eight points held in registers; loads and stores as float4.
union Pair { float4 f4; float2 c[2]; };

template <int N> __device__ __forceinline__ void fft_reg(float2 (&v)[N])
{
  float2 e[N / 2], o[N / 2];
#pragma unroll
  for (int i = 0; i < N / 2; ++i) { e[i] = v[2 * i]; o[i] = v[2 * i + 1]; }
  fft_reg<N / 2>(e);
  fft_reg<N / 2>(o);
#pragma unroll
  for (int i = 0; i < N / 2; ++i) {
    const float c = cospif(2.0f * i / N), s = -sinpif(2.0f * i / N);
    const float2 t = make_float2(o[i].x * c - o[i].y * s, o[i].x * s + o[i].y * c);
    v[i] = make_float2(e[i].x + t.x, e[i].y + t.y);
    v[i + N / 2] = make_float2(e[i].x - t.x, e[i].y - t.y);
  }
}
template <> __device__ __forceinline__ void fft_reg<1>(float2 (&)[1]) {}

__global__ void fft8(const float4 *__restrict__ in, float4 *__restrict__ out, const int transforms)
{
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= transforms)
    return;

  float2 v[8];
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    Pair p;
    p.f4 = in[id * 4 + q];
    v[2 * q] = p.c[0];
    v[2 * q + 1] = p.c[1];
  }
  fft_reg<8>(v);
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    Pair p;
    p.c[0] = v[2 * q];
    p.c[1] = v[2 * q + 1];
    out[id * 4 + q] = p.f4;
  }
}
