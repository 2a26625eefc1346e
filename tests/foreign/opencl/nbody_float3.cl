#define TILE 4
kernel void forces(global const float *pos, global const float *mass, global float *acc, const int n)
{
  local float4 body[TILE];
  const int i = get_global_id(0), l = get_local_id(0);
  const float3 me = vload3(i, pos);
  float3 a = (float3)(0.0f);
  for (int t = 0; t < n; t += TILE) {
    body[l] = (float4)(vload3(t + l, pos), mass[t + l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) {
      const float3 d = body[k].xyz - me;
      const float r2 = dot(d, d) + 0.01f;
      const float inv = rsqrt(r2);
      a += d * (body[k].w * inv * inv * inv);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  vstore3(a, i, acc);
}

kernel void forces_slow(global const float *p, global const float *m, global float *out, const int n)
{
  const int i = get_global_id(0);
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float dx = p[3*j] - p[3*i], dy = p[3*j+1] - p[3*i+1], dz = p[3*j+2] - p[3*i+2];
    float r = sqrt(dx*dx + dy*dy + dz*dz + 0.01f);
    float f = m[j] / (r*r*r);
    ax += dx * f; ay += dy * f; az += dz * f;
  }
  out[3*i] = ax; out[3*i+1] = ay; out[3*i+2] = az;
}
