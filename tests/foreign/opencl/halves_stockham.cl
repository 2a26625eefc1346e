// both arrays: n reals, then n imaginaries
kernel void step_dit(global const float *src, global float *dst, int n, int ns)
{
  size_t j = get_global_id(0);
  size_t k = j % ns;
  float phi = -M_PI_F * k / ns;
  float co, si = sincos(phi, &co);
  float u_r = src[j], u_i = src[n + j];
  float v_r = src[j + n/2], v_i = src[n + j + n/2];
  float w_r = v_r * co - v_i * si;
  float w_i = v_i * co + v_r * si;
  size_t d = (j / ns) * ns * 2 + k;
  dst[d] = u_r + w_r;
  dst[d + n] = u_i + w_i;
  dst[d + ns] = u_r - w_r;
  dst[d + ns + n] = u_i - w_i;
}

kernel void plain_dft(global const float *src, global float *dst, int n)
{
  int k = get_global_id(0);
  float a = 0, b = 0;
  for (int j = 0; j < n; j++) {
    float co, si = sincos(-2 * M_PI_F * ((j * k) % n) / n, &co);
    a += src[j] * co - src[j + n] * si;
    b += src[j] * si + src[j + n] * co;
  }
  dst[k] = a;
  dst[k + n] = b;
}
