// Stockham, radix 4, roots from a table; a pass per launch, rows of the batch along y.
// An odd power of two ends with one pass of radix 2.
#define ROT(z) ((float2)((z).y, -(z).x))

float2 cmul(float2 p, float2 q);
float2 cmul(float2 p, float2 q) { return p.xx * q + (float2)(-p.y, p.y) * q.yx; }

__kernel void pass4(__global const float2 * restrict in, __global float2 * restrict out,
                    __constant float2 *tw, uint lg_n, uint lg_p)
{
  const uint n = 1u << lg_n, p = 1u << lg_p, t = n >> 2;
  const uint i = get_global_id(0);
  const uint row = get_global_id(1) << lg_n;
  const uint k = i & (p - 1);
  const uint step = t >> lg_p;

  float2 u[4];
  #pragma unroll
  for (uint q = 0; q < 4; ++q)
    u[q] = in[row + i + q * t];

  u[1] = cmul(u[1], tw[k * step]);
  u[2] = cmul(u[2], tw[2 * k * step]);
  u[3] = cmul(u[3], tw[3 * k * step]);

  const float2 v0 = u[0] + u[2];
  const float2 v1 = u[0] - u[2];
  const float2 v2 = u[1] + u[3];
  const float2 v3 = ROT(u[1] - u[3]);

  __global float2 *o = out + row + ((i - k) << 2) + k;
  o[0]     = v0 + v2;
  o[p]     = v1 + v3;
  o[2 * p] = v0 - v2;
  o[3 * p] = v1 - v3;
}

__kernel void pass2(__global const float2 * restrict in, __global float2 * restrict out,
                    __constant float2 *tw, uint lg_n)
{
  const uint half_n = (1u << lg_n) >> 1;
  const uint i = get_global_id(0);
  const uint at = (get_global_id(1) << lg_n) + i;
  const float2 a = in[at];
  const float2 b = cmul(in[at + half_n], tw[i]);
  out[at] = a + b;
  out[at + half_n] = a - b;
}
