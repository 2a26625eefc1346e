// C = alpha A B + beta C, row major. A block of 64 threads makes 32 x 32 elements of C, each thread 4 x 4 of them in registers.
#define BM 32
#define BN 32
#define BK 8
#define TM 4
#define TN 4

__global__ void __launch_bounds__(64)
sgemm(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
  __shared__ float As[BK][BM + 4];   // transposed
  __shared__ __align__(16) float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;
  const int ty = tid / (BN / TN);
  const int tx = tid % (BN / TN);

  float acc[TM][TN] = {};

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = tid; e < BM * BK; e += 64) {
      const int r = e / BK, k = e % BK;
      As[k][r] = (row0 + r < M && k0 + k < K) ? A[(row0 + r) * K + k0 + k] : 0.f;
    }
    for (int e = tid; e < BK * BN; e += 64) {
      const int k = e / BN, c = e % BN;
      Bs[k][c] = (k0 + k < K && col0 + c < N) ? B[(k0 + k) * N + col0 + c] : 0.f;
    }
    __syncthreads();

    #pragma unroll
    for (int k = 0; k < BK; k++) {
      float a[TM];
      const float4 b4 = *(const float4 *)&Bs[k][tx * TN];
      const float b[TN] = {b4.x, b4.y, b4.z, b4.w};
      for (int m = 0; m < TM; m++)
        a[m] = As[k][ty * TM + m];
      for (int m = 0; m < TM; m++)
        for (int n = 0; n < TN; n++)
          acc[m][n] += a[m] * b[n];
    }
    __syncthreads();
  }

  for (int m = 0; m < TM; m++) {
    const int r = row0 + ty * TM + m;
    if (r >= M) break;
    for (int n = 0; n < TN; n++) {
      const int c = col0 + tx * TN + n;
      if (c < N)
        C[r * N + c] = alpha * acc[m][n] + beta * C[r * N + c];
    }
  }
}

__global__ void gemm_ref(int M, int N, int K, float alpha, const float *A, const float *B, float beta, const float *C, float *D)
{
  const int r = blockIdx.x, c = threadIdx.x;
  double s = 0;
  for (int k = 0; k < K; k++)
    s += (double)A[r * K + k] * B[k * N + c];
  D[r * N + c] = (float)(alpha * s + beta * C[r * N + c]);
}
