// DCT-II through the FFT of the row and its mirror image (2N points).

// v = x0 x1 ... x(N-1) x(N-1) ... x1 x0, at bit-reversed places
kernel void mirror(global const float *x, global float2 *v, int N, int bits)
{
  int i = get_global_id(0);
  int r = 0;
  for (int b = 0; b < bits; b++)
    if (i & (1 << b))
      r |= 1 << (bits - 1 - b);
  float value = i < N ? x[i] : x[2 * N - 1 - i];
  v[r] = (float2)(value, 0.0f);
}

kernel void butterflies(global float2 *v, int log_half)
{
  int t = get_global_id(0);
  int half_size = 1 << log_half;
  int pos = t & (half_size - 1);
  int top = ((t >> log_half) << (log_half + 1)) | pos;
  int bot = top | half_size;

  float c, s = sincos(M_PI_F * pos / half_size, &c);
  float2 lower = v[bot];
  float2 turned = (float2)(c * lower.x + s * lower.y, c * lower.y - s * lower.x);
  float2 upper = v[top];
  v[top] = upper + turned;
  v[bot] = upper - turned;
}

kernel void finish(global const float2 *v, global float *X, int N)
{
  int k = get_global_id(0);
  float phi = M_PI_F * k / (2 * N);
  X[k] = 0.5f * (v[k].x * cos(phi) + v[k].y * sin(phi));
}
