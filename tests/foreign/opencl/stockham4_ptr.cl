typedef float2 cpx;
inline cpx mulj(cpx z) { return (cpx)(z.y, -z.x); }          // * -i
inline cpx rot(cpx z, float a) { float c = cos(a), s = sin(a); return (cpx)(z.x*c - z.y*s, z.x*s + z.y*c); }

__kernel void step4(__global const cpx *x, __global cpx *y, uint m)
{
  const uint quarter = get_global_size(0);
  const uint id = get_global_id(0);
  const uint k = id % m;

  __global const cpx *p = x + id;
  cpx a = *p;  p += quarter;
  cpx b = *p;  p += quarter;
  cpx c = *p;  p += quarter;
  cpx d = *p;

  const float th = -M_PI_F * 0.5f * k / m;
  b = rot(b, th);
  c = rot(c, 2 * th);
  d = rot(d, 3 * th);

  const cpx e = a + c, f = a - c, g = b + d, h = mulj(b - d);
  __global cpx *q = y + (id - k) * 4 + k;
  *q = e + g;  q += m;
  *q = f + h;  q += m;
  *q = e - g;  q += m;
  *q = f - h;
}
