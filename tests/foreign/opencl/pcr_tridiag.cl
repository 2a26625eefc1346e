/* Tridiagonal systems by parallel cyclic reduction: an equation (a, b, c | d) is a float4. */
inline float4 equation(__global const float *a, __global const float *c, __global const float *d, int i, int n) {
  return (float4)(i > 0 ? 0.4f * a[i] : 0.0f, 2.0f, i < n - 1 ? 0.4f * c[i] : 0.0f, d[i]);
}

__kernel void pcr(__global const float *a, __global const float *c, __global const float *d, __global float *x, int n,
                  __local float4 *eq) {
  const int i = get_local_id(0);
  const float4 none = (float4)(0.0f, 1.0f, 0.0f, 0.0f);
  float4 e = equation(a, c, d, i, n);
  eq[i] = e;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = 1; h < n; h *= 2) {
    float4 l = i - h >= 0 ? eq[i - h] : none;
    float4 r = i + h < n ? eq[i + h] : none;
    float p = -e.x / l.y;
    float q = -e.z / r.y;
    e = (float4)(p * l.x, e.y + p * l.z + q * r.x, q * r.z, e.w + p * l.w + q * r.w);
    barrier(CLK_LOCAL_MEM_FENCE);
    eq[i] = e;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  x[i] = e.w / e.y;
}

// Elimination from the top, then back: what it should come to.
__kernel void thomas(__global const float *a, __global const float *c, __global const float *d, __global float *x,
                     __global float *up, int n) {
  float4 e = equation(a, c, d, 0, n);
  up[0] = e.z / e.y;
  x[0] = e.w / e.y;
  for (int i = 1; i < n; i++) {
    e = equation(a, c, d, i, n);
    float m = 1.0f / (e.y - e.x * up[i - 1]);
    up[i] = e.z * m;
    x[i] = (e.w - e.x * x[i - 1]) * m;
  }
  for (int i = n - 2; i >= 0; i--) x[i] -= up[i] * x[i + 1];
}
