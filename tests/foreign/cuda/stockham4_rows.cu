// Stockham autosort FFT, radix 4, in shared memory. Blocks take rows until there are none.
struct cf { float r, i; };

__device__ __forceinline__ cf operator+(cf a, cf b) { return {a.r + b.r, a.i + b.i}; }
__device__ __forceinline__ cf operator-(cf a, cf b) { return {a.r - b.r, a.i - b.i}; }
__device__ __forceinline__ cf operator*(cf a, cf b) { return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; }
__device__ __forceinline__ cf mul_minus_i(cf a) { return {a.i, -a.r}; }

__device__ __forceinline__ cf root(int k, int of)
{
  cf w;
  sincospif(-2.0f * k / of, &w.i, &w.r);
  return w;
}

template <int LEN>
__global__ void __launch_bounds__(LEN / 4) fft4(const float2 *__restrict__ in, float2 *__restrict__ out, int rows)
{
  constexpr int Q = LEN / 4;
  __shared__ cf ping[LEN], pong[LEN];
  const int t = threadIdx.x;

  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float2 *src = in + row * LEN;
    float2 *dst = out + row * LEN;
    cf *a = ping, *b = pong;

    #pragma unroll
    for (int r = 0; r < 4; ++r) {
      const float2 v = __ldg(&src[t + r * Q]);
      a[t + r * Q] = {v.x, v.y};
    }
    __syncthreads();

    for (int s = 1; s < LEN; s *= 4) {
      const int k = t & (s - 1);
      const cf w = root(k, 4 * s), ww = w * w;
      const cf v0 = a[t];
      const cf v1 = w * a[t + Q];
      const cf v2 = ww * a[t + 2 * Q];
      const cf v3 = ww * w * a[t + 3 * Q];

      const cf e0 = v0 + v2, e1 = v0 - v2;
      const cf o0 = v1 + v3, o1 = mul_minus_i(v1 - v3);

      cf *to = b + 4 * (t - k) + k;
      to[0] = e0 + o0;
      to[s] = e1 + o1;
      to[2 * s] = e0 - o0;
      to[3 * s] = e1 - o1;

      cf *const other = a;
      a = b;
      b = other;
      __syncthreads();
    }

    #pragma unroll
    for (int r = 0; r < 4; ++r)
      dst[t + r * Q] = make_float2(a[t + r * Q].r, a[t + r * Q].i);
  }
}

template __global__ void fft4<16>(const float2 *, float2 *, int);
template __global__ void fft4<64>(const float2 *, float2 *, int);
template __global__ void fft4<256>(const float2 *, float2 *, int);
