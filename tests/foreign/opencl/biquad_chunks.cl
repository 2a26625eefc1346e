// Recursive filter of second order over chunks: each chunk from rest, then the states are carried over by a scan with
// powers of the companion matrix, then each chunk gets what its neighbour's state still rings.

#ifndef CHUNK
#define CHUNK 8
#endif

typedef struct { float b0, b1, b2, a1, a2; } Biquad;

// 2 x 2 matrices, (xy / zw)
float4 matmul(float4 a, float4 b)
{
  return (float4)(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w,
                  a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w);
}

float2 matvec(float4 a, float2 v)
{
  return (float2)(dot(a.xy, v), dot(a.zw, v));
}

__kernel void fromRest(__global const float* x, __global float* y, __global float2* state, Biquad f, int n)
{
  const int c = get_global_id(0), first = c * CHUNK;
  float x1 = first > 0 ? x[first - 1] : 0.f;
  float x2 = first > 1 ? x[first - 2] : 0.f;
  float2 s = 0.f;
  for (int i = first; i < min(first + CHUNK, n); i++) {
    const float in = x[i];
    const float out = f.b0 * in + f.b1 * x1 + f.b2 * x2 - f.a1 * s.x - f.a2 * s.y;
    y[i] = out;
    x2 = x1;
    x1 = in;
    s = (float2)(out, s.x);
  }
  state[c] = s;
}

__kernel void carryStates(__global float2* state, __local float2* s, Biquad f)
{
  const int c = get_local_id(0), chunks = get_local_size(0);
  const float4 M = (float4)(-f.a1, -f.a2, 1.f, 0.f);
  float4 P = M;
  for (int k = 1; k < CHUNK; k++)
    P = matmul(M, P);

  s[c] = state[c];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < chunks; d <<= 1) {
    const float2 before = c >= d ? s[c - d] : (float2)(0.f);
    barrier(CLK_LOCAL_MEM_FENCE);
    s[c] += matvec(P, before);
    barrier(CLK_LOCAL_MEM_FENCE);
    P = matmul(P, P);
  }
  state[c] = s[c];
}

__kernel void ringOut(__global float* y, __global const float2* state, Biquad f, int n)
{
  const int c = get_global_id(0);
  if (c == 0) return;
  float2 u = state[c - 1];
  for (int i = c * CHUNK; i < n && i < (c + 1) * CHUNK; i++) {
    const float h = -f.a1 * u.x - f.a2 * u.y;
    y[i] += h;
    u = (float2)(h, u.x);
  }
}

// transposed direct form II, one after another
__kernel void oneByOne(__global const float* x, __global float* y, Biquad f, int n)
{
  float z1 = 0.f, z2 = 0.f;
  for (int i = 0; i < n; i++) {
    const float v = z1 + f.b0 * x[i];
    z1 = z2 + f.b1 * x[i] - f.a1 * v;
    z2 = f.b2 * x[i] - f.a2 * v;
    y[i] = v;
  }
}
