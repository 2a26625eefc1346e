// DCT-II of rows: fold into even and odd halves first, then sums of half the length with cosines from a shared table.
#ifndef N
#define N 16
#endif

__global__ void dct_rows(const float *__restrict__ x, float *__restrict__ y)
{
  __shared__ float even[N / 2], odd[N / 2], cosine[4 * N];
  const int k = threadIdx.x;
  const float *row = x + blockIdx.x * N;

  for (int i = k; i < 4 * N; i += N) cosine[i] = cosf(i * 3.14159265f / (2 * N));
  if (k < N / 2) {
    const float p = row[k], q = row[N - 1 - k];
    even[k] = p + q;
    odd[k] = p - q;
  }
  __syncthreads();

  const float *half = k % 2 ? odd : even;
  float sum = 0.0f;
#pragma unroll
  for (int m = 0; m < N / 2; ++m)
    sum += half[m] * cosine[(2 * m + 1) * k % (4 * N)];
  y[blockIdx.x * N + k] = sum;
}
