// 512 points, 64 threads, 8 values a thread, three passes of radix 8.
// Exchange of real and imaginary parts one after the other through one padded float array.
#define SQRT1_2 0.70710678118654752440f

namespace fft {

inline __device__ float2 add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
inline __device__ float2 sub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
inline __device__ float2 mul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline __device__ void butterfly2(float2 &a, float2 &b) { float2 t = a; a = add(t, b); b = sub(t, b); }

inline __device__ void butterfly4(float2 &a0, float2 &a1, float2 &a2, float2 &a3) {
  butterfly2(a0, a2);
  butterfly2(a1, a3);
  a3 = make_float2(a3.y, -a3.x);
  butterfly2(a0, a1);
  butterfly2(a2, a3);
}

// Out in bit-reversed order: a[0], a[4], a[2], a[6], a[1], a[5], a[3], a[7].
inline __device__ void butterfly8(float2 *a) {
  butterfly2(a[0], a[4]);
  butterfly2(a[1], a[5]);
  butterfly2(a[2], a[6]);
  butterfly2(a[3], a[7]);
  a[5] = mul(a[5], make_float2(SQRT1_2, -SQRT1_2));
  a[6] = make_float2(a[6].y, -a[6].x);
  a[7] = mul(a[7], make_float2(-SQRT1_2, -SQRT1_2));
  butterfly4(a[0], a[1], a[2], a[3]);
  butterfly4(a[4], a[5], a[6], a[7]);
}

inline __device__ void twiddle8(float2 *a, int i, int n) {
  const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
#pragma unroll
  for (int j = 1; j < 8; ++j) {
    float2 w;
    sincospif(-2.0f * (float)(order[j] * i) / (float)n, &w.y, &w.x);
    a[j] = mul(a[j], w);
  }
}

}  // namespace fft

__device__ __forceinline__ int rev8(int i) { return (i & 1) << 2 | (i & 2) | i >> 2; }

extern "C" __global__ void __launch_bounds__(64) fft512(const float2 *src, float2 *dst)
{
  __shared__ float smem[8 * 65 + 64];
  const int tid = threadIdx.x;
  const int hi = tid >> 3, lo = tid & 7;
  src += blockIdx.x * 512 + tid;
  dst += blockIdx.x * 512 + tid;

  float2 a[8];
  for (int i = 0; i < 8; ++i) a[i] = src[i * 64];

  fft::butterfly8(a);
  fft::twiddle8(a, tid, 512);
  for (int i = 0; i < 8; ++i) smem[rev8(i) * 65 + tid] = a[i].x;
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i].x = smem[hi * 65 + lo + i * 8];
  __syncthreads();
  for (int i = 0; i < 8; ++i) smem[rev8(i) * 65 + tid] = a[i].y;
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i].y = smem[hi * 65 + lo + i * 8];
  __syncthreads();

  fft::butterfly8(a);
  fft::twiddle8(a, lo, 64);
  for (int i = 0; i < 8; ++i) smem[hi * 72 + rev8(i) * 9 + lo] = a[i].x;
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i].x = smem[hi * 72 + lo * 9 + i];
  __syncthreads();
  for (int i = 0; i < 8; ++i) smem[hi * 72 + rev8(i) * 9 + lo] = a[i].y;
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i].y = smem[hi * 72 + lo * 9 + i];

  fft::butterfly8(a);
  // thread (hi, lo) now holds the frequencies hi + 8 lo + 64 k
  dst += hi + 8 * lo - tid;
  for (int i = 0; i < 8; ++i) dst[rev8(i) * 64] = a[i];
}
