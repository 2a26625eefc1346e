// MDCT: frames of 2n samples every n samples, sine window, n coefficients each.
// fold to n values -> DCT-IV by a complex FFT of n/2 points in local memory (one work-group of n/2 items per frame)

#define PI 3.14159265358979f

static float2 rot(float2 v, float phi)            // v * exp(-i phi)
{
  const float c = cos(phi), s = sin(phi);
  return (float2)(v.x*c + v.y*s, v.y*c - v.x*s);
}

static float windowed(__global const float *x, int j, int n)
{
  return x[j] * sin(PI * (j + 0.5f) / (2*n));
}

static float folded(__global const float *x, int i, int n)
{
  if (i < n/2)
    return -windowed(x, 3*n/2 - 1 - i, n) - windowed(x, 3*n/2 + i, n);
  return windowed(x, i - n/2, n) - windowed(x, 3*n/2 - 1 - i, n);
}

__kernel void mdct(__global const float *signal, __global float *coeffs, __local float2 *z, int n, int bits)
{
  const int t = get_local_id(0), frame = get_group_id(0);
  const int m = n/2;
  __global const float *x = signal + frame*n;
  __global float *X = coeffs + frame*n;

  int r = 0;
  for (int b = 0; b < bits; b++)
    r = 2*r + (t >> b) % 2;
  z[r] = rot((float2)(folded(x, 2*t, n), folded(x, n - 1 - 2*t, n)), PI * (4*t + 1) / (4*n));
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int h = 1; h < m; h *= 2) {
    if (t < m/2) {
      const int k = t % h, i = t/h*2*h + k;
      const float2 b = rot(z[i + h], PI * k / h);
      z[i + h] = z[i] - b;
      z[i] += b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  const float2 y = rot(z[t], PI * t / n);
  X[2*t] = y.x;
  X[n - 1 - 2*t] = -y.y;
}

__kernel void mdct_definition(__global const float *signal, __global float *coeffs, int n)
{
  const int k = get_global_id(0), frame = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 2*n; j++) {
    const int q = (2*j + 1 + n) * (2*k + 1) % (8*n);          // quarter turns / n
    const float w = sinpi((2*j + 1) / (4.0f*n));
    sum += w * signal[frame*n + j] * cospi(q / (4.0f*n));
  }
  coeffs[frame*n + k] = sum;
}
