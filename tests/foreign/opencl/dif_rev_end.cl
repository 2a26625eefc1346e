#define PI2 6.283185307179586f

kernel void dif(global float2* restrict x, int span)
{
  // span: distance between the two legs
  const int g = get_global_id(0);
  const int grp = g / span, off = g % span;
  const int i = grp * span * 2 + off;

  float2 a = x[i];
  float2 b = x[i + span];
  x[i] = a + b;

  a -= b;
  const float phi = -PI2 * off / (2 * span);
  const float2 w = (float2)(native_cos(phi), native_sin(phi));
  x[i + span] = (float2)(dot(a, (float2)(w.x, -w.y)), dot(a, w.yx));
}

kernel void unscramble(global const float2* x, global float2* y, int bits)
{
  int g = get_global_id(0);
  int r = 0, v = g;
  for (int n = bits; n--; v >>= 1)
    r += r + (v & 1);
  y[r] = x[g];
}
