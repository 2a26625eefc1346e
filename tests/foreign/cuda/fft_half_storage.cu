// Shared memory in half precision to fit twice as much; arithmetic in float.
#include <cuda_fp16.h>
#define N 32

struct hcomplex { __half re, im; };

__device__ __forceinline__ float2 load(const hcomplex &h) { return make_float2(__half2float(h.re), __half2float(h.im)); }
__device__ __forceinline__ void store(hcomplex &h, float2 v) { h.re = __float2half(v.x); h.im = __float2half(v.y); }

__global__ void fft_half(const float2 *x, float2 *y)
{
  __shared__ hcomplex s[N];
  int t = threadIdx.x;
  store(s[__brev(t) >> 27], x[t]);
  store(s[__brev(t + N / 2) >> 27], x[t + N / 2]);
  __syncthreads();
  for (int h = 1; h < N; h *= 2) {
    int k = t % h, i = (t / h) * 2 * h + k;
    float2 a = load(s[i]), b = load(s[i + h]), w;
    sincospif(-(float)k / h, &w.y, &w.x);
    float2 p = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
    store(s[i], make_float2(a.x + p.x, a.y + p.y));
    store(s[i + h], make_float2(a.x - p.x, a.y - p.y));
    __syncthreads();
  }
  y[t] = load(s[t]);
  y[t + N / 2] = load(s[t + N / 2]);
}
