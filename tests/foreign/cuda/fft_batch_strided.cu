// Columns of a padded row-major matrix are transformed in place: points `stride` apart.
typedef struct { int count, stride; } Layout;

__global__ void fft_columns(float2 *m, Layout lay, int batch)
{
  const int which = blockIdx.x * blockDim.y + threadIdx.y;
  const bool live = which < batch;
  float2 *col = m + which;
  const int n = lay.count, st = lay.stride;
  const int t = threadIdx.x;

  // bit reversal by exchange
  int lg = __ffs(n) - 1;
  for (int i = t; i < n; i += blockDim.x) {
    int r = __brev(i) >> (32 - lg);
    if (live && r > i) {
      float2 u = col[i * st];
      col[i * st] = col[r * st];
      col[r * st] = u;
    }
  }
  __syncthreads();

  for (int span = 1; span < n; span *= 2) {
    int k = t % span;
    int p = (t - k) * 2 + k;
    if (live) {
      float2 w;
      sincospif(-1.0f * k / span, &w.y, &w.x);
      float2 a = col[p * st], b = col[(p + span) * st];
      float2 wb = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
      col[p * st] = make_float2(a.x + wb.x, a.y + wb.y);
      col[(p + span) * st] = make_float2(a.x - wb.x, a.y - wb.y);
    }
    __syncthreads();
  }
}
