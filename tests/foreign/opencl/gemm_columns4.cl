// C = A B, row-major, A is MxK and B is KxN. A work-item computes WPT elements of one column.
#ifndef TS
#define TS 8
#endif
#define WPT 4
#define RTS (TS / WPT)

kernel void gemm_plain(global const float *A, global const float *B, global float *C, int M, int N, int K)
{
  int col = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

kernel void gemm_wpt(global const float *A, global const float *B, global float *C, int M, int N, int K)
{
  local float As[TS][TS];
  local float Bs[TS][TS];
  const int col = get_local_id(0);
  const int row = get_local_id(1);          // 0 .. RTS-1
  const int gcol = TS * get_group_id(0) + col;
  const int grow = TS * get_group_id(1) + row;

  float acc[WPT];
  for (int w = 0; w < WPT; w++)
    acc[w] = 0.0f;

  const int tiles = (K + TS - 1) / TS;
  for (int t = 0; t < tiles; t++) {
    const int tcol = TS * t + col;
    const int trow = TS * t + row;
    for (int w = 0; w < WPT; w++) {
      const int r = grow + w * RTS, q = trow + w * RTS;
      As[row + w * RTS][col] = (r < M && tcol < K) ? A[r * K + tcol] : 0.0f;
      Bs[row + w * RTS][col] = (q < K && gcol < N) ? B[q * N + gcol] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int k = 0; k < TS; k++) {
      const float b = Bs[k][col];
      for (int w = 0; w < WPT; w++)
        acc[w] += As[row + w * RTS][k] * b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (int w = 0; w < WPT; w++) {
    const int r = grow + w * RTS;
    if (r < M && gcol < N)
      C[r * N + gcol] = acc[w];
  }
}
