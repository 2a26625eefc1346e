// Prime factor algorithm for N = 3 * 5; no twiddles between the factors.
__constant__ float2 W3[3] = {{1.f, 0.f}, {-0.5f, -0.8660254037844386f}, {-0.5f, 0.8660254037844386f}};
__constant__ float2 W5[5] = {{1.f, 0.f},
                             {0.30901699437494745f, -0.9510565162951535f},
                             {-0.8090169943749473f, -0.5877852522924732f},
                             {-0.8090169943749475f, 0.587785252292473f},
                             {0.30901699437494723f, 0.9510565162951536f}};

__device__ __forceinline__ float2 fma2(float2 a, float2 b, float2 c)
{
  c.x = fmaf(a.x, b.x, c.x); c.x = fmaf(-a.y, b.y, c.x);
  c.y = fmaf(a.x, b.y, c.y); c.y = fmaf(a.y, b.x, c.y);
  return c;
}

__global__ void pfa15(const float2 *x, float2 *X)
{
  __shared__ float2 a[3][5];
  __shared__ float2 b[3][5];
  const int i = threadIdx.y;  // 0..2
  const int j = threadIdx.x;  // 0..4
  const float2 *in = x + 15 * blockIdx.x;
  float2 *out = X + 15 * blockIdx.x;

  a[i][j] = in[(5 * i + 3 * j) % 15];   // Good's map
  __syncthreads();

  float2 s = make_float2(0, 0);
  for (int m = 0; m < 3; m++) s = fma2(a[m][j], W3[(m * i) % 3], s);
  b[i][j] = s;
  __syncthreads();

  s = make_float2(0, 0);
  for (int m = 0; m < 5; m++) s = fma2(b[i][m], W5[(m * j) % 5], s);

  out[(10 * i + 6 * j) % 15] = s;       // Chinese remainder map
}
