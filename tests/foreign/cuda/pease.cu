// Constant geometry: every stage reads (t, t+n/2) and writes (2t, 2t+1).
extern "C" __global__ void pease(float2 *buf, int n, int lg)
{
  // buf holds two halves of n elements used in turn
  float2 *rd = buf, *wr = buf + n;
  int t = threadIdx.x, h = n >> 1;
  for (int s = 0; s < lg; ++s) {
    float2 a = rd[t], b = rd[t + h];
    int e = (t >> s) << s;
    float c, sn;
    sincospif(-2.0f * e / n, &sn, &c);
    float2 d = make_float2(a.x - b.x, a.y - b.y);
    wr[2 * t] = make_float2(a.x + b.x, a.y + b.y);
    wr[2 * t + 1] = make_float2(d.x * c - d.y * sn, d.x * sn + d.y * c);
    __syncthreads();
    float2 *x = rd; rd = wr; wr = x;
  }
  // bit-reversed result into the other half, then back to the front
  for (int i = t; i < n; i += blockDim.x) wr[__brev(i) >> (32 - lg)] = rd[i];
  __syncthreads();
  if (wr != buf)
    for (int i = t; i < n; i += blockDim.x) buf[i] = wr[i];
}
