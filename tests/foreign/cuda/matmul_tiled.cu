// C = A B with square tiles; sizes need not divide. A slow kernel is the reference.
#define BS 8

struct Mat {
  int rows, cols;
};

__global__ void matmul(const float *A, const float *B, float *C, Mat a, Mat b)
{
  __shared__ float As[BS][BS];
  __shared__ float Bs[BS][BS];
  assert(a.cols == b.rows);

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty;
  const int col = blockIdx.x * BS + tx;
  float c = 0.0f;

  for (int m = 0; m < (a.cols + BS - 1) / BS; ++m) {
    As[ty][tx] = (row < a.rows && m * BS + tx < a.cols) ? A[row * a.cols + m * BS + tx] : 0.0f;
    Bs[ty][tx] = (m * BS + ty < b.rows && col < b.cols) ? B[(m * BS + ty) * b.cols + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BS; ++k) c = fmaf(As[ty][k], Bs[k][tx], c);
    __syncthreads();
  }
  if (row < a.rows && col < b.cols) C[row * b.cols + col] = c;
}

__global__ void matmul_slow(const float *A, const float *B, float *C, int n, int k, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * m) return;
  float s = 0;
  for (int q = 0; q < k; q++) s += A[i / m * k + q] * B[q * m + i % m];
  C[i] = s;
}
