// Chirp-z for any n up to 16: convolution of length M = 32 >= 2n-1 in shared memory.
enum { M = 32, LOGM = 5 };

__device__ float2 cmulf(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__device__ float2 chirp(int j, int n)
{
  float2 w;
  sincospif(-(float)((j * j) % (2 * n)) / (float)n, &w.y, &w.x);
  return w;
}

// In place, M/2 threads work, all M take part in the barriers.
__device__ void fft_shared(float2 *s, int tid, float sign)
{
  float2 mine = s[tid];
  __syncthreads();
  s[__brev(tid) >> (32 - LOGM)] = mine;
  __syncthreads();
  for (int half = 1; half < M; half <<= 1) {
    if (tid < M / 2) {
      int k = tid % half;
      int lo = 2 * (tid - k) + k;
      float2 w;
      sincospif(sign * (float)k / (float)half, &w.y, &w.x);
      float2 t = cmulf(w, s[lo + half]);
      float2 a = s[lo];
      s[lo] = make_float2(a.x + t.x, a.y + t.y);
      s[lo + half] = make_float2(a.x - t.x, a.y - t.y);
    }
    __syncthreads();
  }
}

extern "C" __global__ void bluestein(const float2 *x, float2 *X, int n)
{
  __shared__ float2 a[M], b[M];
  int t = threadIdx.x;

  a[t] = t < n ? cmulf(x[t], chirp(t, n)) : make_float2(0.f, 0.f);
  float2 h = make_float2(0.f, 0.f);
  if (t < n) { h = chirp(t, n); h.y = -h.y; }
  else if (t > M - n) { h = chirp(M - t, n); h.y = -h.y; }
  b[t] = h;
  __syncthreads();

  fft_shared(a, t, -1.f);
  fft_shared(b, t, -1.f);
  a[t] = cmulf(a[t], b[t]);
  __syncthreads();
  fft_shared(a, t, 1.f);

  if (t < n) {
    float2 r = cmulf(a[t], chirp(t, n));
    X[t] = make_float2(r.x / M, r.y / M);
  }
}
