#define T 4

/* transpose of an R x C matrix, padded tile */
__kernel void transpose(__global const float2 *in, __global float2 *out, int R, int C)
{
  __local float2 tile[T][T + 1];
  int lx = get_local_id(0), ly = get_local_id(1);
  int col = get_group_id(0) * T + lx;
  int row = get_group_id(1) * T + ly;
  tile[ly][lx] = in[row * C + col];
  barrier(CLK_LOCAL_MEM_FENCE);
  col = get_group_id(1) * T + lx;
  row = get_group_id(0) * T + ly;
  out[row * R + col] = tile[lx][ly];
}

/* one work-item transforms one row in place, decimation in time */
__kernel void row_fft(__global float2 *m, int len)
{
  __global float2 *row = m + get_global_id(0) * len;
  for (int i = 0, j = 0; i < len; i++) {
    if (i < j) { float2 t = row[i]; row[i] = row[j]; row[j] = t; }
    int bit = len >> 1;
    while (bit && (j & bit)) { j ^= bit; bit >>= 1; }
    j |= bit;
  }
  for (int L = 2; L <= len; L <<= 1) {
    float ang = -2 * M_PI_F / L;
    for (int b = 0; b < len; b += L)
      for (int k = 0; k < L / 2; k++) {
        float2 w = (float2)(cos(ang * k), sin(ang * k));
        float2 u = row[b + k], v = row[b + k + L / 2];
        v = (float2)(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
        row[b + k] = u + v;
        row[b + k + L / 2] = u - v;
      }
  }
}

__kernel void twiddle(__global float2 *m, int C, int n)
{
  int r = get_global_id(1), c = get_global_id(0);
  float a = -2 * M_PI_F * (r * c) / n;
  float2 v = m[r * C + c];
  float cs = cos(a), sn = sin(a);
  m[r * C + c] = (float2)(v.x * cs - v.y * sn, v.x * sn + v.y * cs);
}
