// 64-point FFT, 16 lanes of 4 values, exchanges by shuffles alone: float4 pairs loaded by reinterpret_cast, __ldg, unrolled templates.
#include <cuda_runtime.h>
namespace {
struct c32 { float x, y; };
__device__ __forceinline__ c32 operator+(c32 a, c32 b) { return {a.x + b.x, a.y + b.y}; }
__device__ __forceinline__ c32 operator-(c32 a, c32 b) { return {a.x - b.x, a.y - b.y}; }
__device__ __forceinline__ c32 operator*(c32 a, c32 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ __forceinline__ c32 unit(float turns) { float s, c; sincospif(2 * turns, &s, &c); return {c, s}; }

__device__ __forceinline__ void dft4(c32 (&v)[4]) {
  const c32 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
  v[0] = a + c; v[2] = a - c;
  v[1] = {b.x + d.y, b.y - d.x}; v[3] = {b.x - d.y, b.y + d.x};
}

// Value j of lane 4 q + r goes to value r of lane 4 q + j: a 4 by 4 transpose in each quad of lanes, Q lanes apart.
template <int Q> __device__ __forceinline__ void turn(c32 (&v)[4], int lane) {
  const int r = lane / Q % 4;
  c32 w[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {           // in round k lane r swaps with lane r ^ k
    const int j = r ^ k;
    const c32 mine = j == 0 ? v[0] : j == 1 ? v[1] : j == 2 ? v[2] : v[3];
    const c32 got = {__shfl_xor_sync(0xffffu, mine.x, k * Q, 16), __shfl_xor_sync(0xffffu, mine.y, k * Q, 16)};
    if (j == 0) w[0] = got; else if (j == 1) w[1] = got; else if (j == 2) w[2] = got; else w[3] = got;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = w[k];
}
}  // namespace

extern "C" __launch_bounds__(16) __global__ void fft64(const float4* __restrict__ in, float2* __restrict__ out) {
  const int lane = threadIdx.x;
  const float2* x = reinterpret_cast<const float2*>(in) + blockIdx.x * 64;
  c32 v[4];
  for (int j = 0; j < 4; ++j) { const float2 t = __ldg(x + lane + 16 * j); v[j] = {t.x, t.y}; }
  // over the highest digit of the index, then the middle one, then the lowest
  dft4(v);
  for (int j = 1; j < 4; ++j) v[j] = v[j] * unit(-(float)(lane * j) / 64);
  turn<4>(v, lane);          // now value j is the middle digit, lane = 4 (first digit of the result) + low digit
  dft4(v);
  for (int j = 1; j < 4; ++j) v[j] = v[j] * unit(-(float)(lane % 4 * j) / 16);
  turn<1>(v, lane);
  dft4(v);
  // lane = 4 a + b: results a + 4 b + 16 j
  float2* y = out + blockIdx.x * 64;
  for (int j = 0; j < 4; ++j) y[lane / 4 + 4 * (lane % 4) + 16 * j] = make_float2(v[j].x, v[j].y);
}
