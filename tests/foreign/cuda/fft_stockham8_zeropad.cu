// Radix-8 Stockham, 64 points, input of 40 real-world samples padded with zeros; split output.
__device__ void r8(float (&xr)[8], float (&xi)[8], float (&yr)[8], float (&yi)[8])
{
  for (int p = 0; p < 8; ++p) {
    yr[p] = yi[p] = 0.f;
    for (int q = 0; q < 8; ++q) {
      float s, c;
      sincospif(-0.25f * ((p * q) & 7), &s, &c);
      yr[p] += xr[q] * c - xi[q] * s;
      yi[p] += xr[q] * s + xi[q] * c;
    }
  }
}

__global__ void fft64(const float2 *x, int given, float *out_re, float *out_im)
{
  __shared__ float sr[64], si[64];
  float xr[8], xi[8], yr[8], yi[8];
  const int t = threadIdx.x;   // eight threads

  for (int q = 0; q < 8; ++q) {
    const int j = t + 8 * q;
    const bool have = j < given;
    xr[q] = have ? x[j].x : 0.f;
    xi[q] = have ? x[j].y : 0.f;
  }
  r8(xr, xi, yr, yi);
  for (int p = 0; p < 8; ++p) { sr[8 * t + p] = yr[p]; si[8 * t + p] = yi[p]; }
  __syncwarp(0xff);

  for (int q = 0; q < 8; ++q) {
    float s, c, a = sr[t + 8 * q], b = si[t + 8 * q];
    sincospif(-2.f * t * q / 64, &s, &c);
    xr[q] = a * c - b * s;
    xi[q] = a * s + b * c;
  }
  r8(xr, xi, yr, yi);
  for (int p = 0; p < 8; ++p) { out_re[t + 8 * p] = yr[p]; out_im[t + 8 * p] = yi[p]; }
}
