/* split radix after Sorensen, Heideman and Burrus: L butterflies, one item does it all */
#ifndef LEN
#define LEN 16
#endif
kernel void split_radix(global const float *xr, global const float *xi, global float2 *out, int m)
{
  private float X[LEN + 1], Y[LEN + 1];
  int n = LEN;
  for (int i = 1; i <= n; i++) { X[i] = xr[i - 1]; Y[i] = xi[i - 1]; }

  int n2 = 2 * n;
  for (int k = 1; k <= m - 1; k++) {
    n2 = n2 / 2;
    int n4 = n2 / 4;
    float e = 6.28318530718f / n2, a = 0;
    for (int j = 1; j <= n4; j++) {
      float a3 = 3 * a;
      float cc1 = cos(a), ss1 = sin(a), cc3 = cos(a3), ss3 = sin(a3);
      a = j * e;
      int is = j, id = 2 * n2;
      do {
        for (int i0 = is; i0 <= n - 1; i0 += id) {
          int i1 = i0 + n4, i2 = i1 + n4, i3 = i2 + n4;
          float r1 = X[i0] - X[i2]; X[i0] += X[i2];
          float r2 = X[i1] - X[i3]; X[i1] += X[i3];
          float s1 = Y[i0] - Y[i2]; Y[i0] += Y[i2];
          float s2 = Y[i1] - Y[i3]; Y[i1] += Y[i3];
          float s3 = r1 - s2; r1 += s2;
          s2 = r2 - s1; r2 += s1;
          X[i2] = r1 * cc1 - s2 * ss1;
          Y[i2] = -s2 * cc1 - r1 * ss1;
          X[i3] = s3 * cc3 + r2 * ss3;
          Y[i3] = r2 * cc3 - s3 * ss3;
        }
        is = 2 * id - n2 + j;
        id = 4 * id;
      } while (is < n);
    }
  }
  /* last stage, length 2 butterflies */
  int is = 1, id = 4;
  do {
    for (int i0 = is; i0 <= n; i0 += id) {
      int i1 = i0 + 1;
      float t = X[i0]; X[i0] = t + X[i1]; X[i1] = t - X[i1];
      t = Y[i0]; Y[i0] = t + Y[i1]; Y[i1] = t - Y[i1];
    }
    is = 2 * id - 1;
    id = 4 * id;
  } while (is < n);

  for (int i = 0; i < n; i++) {
    int r = 0;
    for (int b = 0; b < m; b++) r |= (i >> b & 1) << (m - 1 - b);
    out[r] = (float2)(X[i + 1], Y[i + 1]);
  }
}
