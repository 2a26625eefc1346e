// What every transform needs: the precision it works in, complex multiplication and twiddle factors.
//
// In double precision: -Dreal=double -Dreal2=double2. With the hardware's own sine and cosine: -DNATIVE.

#ifndef real
#define real float
#define real2 float2
#define SINGLE
#endif

real2 multiply(real2 a, real2 b)
{
  return (real2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// w_n^k = e^(sign·2πi·k/n). The angle is taken in half turns, so that no rounded π comes into it.
real2 twiddle(int k, int n, int sign)
{
  real x = (real)(2 * k) / n;
#ifdef NATIVE
  return (real2)(native_cos(M_PI_F * x), sign * native_sin(M_PI_F * x));
#else
  return (real2)(cospi(x), sign * sinpi(x));
#endif
}

// sign·i·a
real2 times_i(real2 a, int sign)
{
  return (real2)(-sign * a.y, sign * a.x);
}
