// data[b*dist + j*stride]; the padding must stay untouched
kernel void dft_batched(global const float2 * const restrict in, global float2 * const restrict out,
                        const int n, const int stride, const int dist)
{
  const int bin = get_global_id(0), b = get_global_id(1);
  float2 sum = 0.0f;
  global const float2 *src = in + b * dist;
  int phase = 0;
  for (int j = 0; j < n; j++, src += stride)
  {
    const float t = -2 * M_PI_F / n * phase;
    const float c = cos(t), s = sin(t);
    sum.s0 += src->s0 * c - src->s1 * s;
    sum.s1 += src->s0 * s + src->s1 * c;
    phase += bin;
    if (phase >= n) phase -= n;
  }
  out[b * dist + bin * stride] = sum;
}
