#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Synthesis (backward transform) of lengths 2^a 5^b. Autosort passes: l points are together before a pass, 2 l or 5 l after it.

static double2 mul(double2 a, double2 b)
{
  return (double2)(fma(a.x, b.x, -a.y*b.y), fma(a.x, b.y, a.y*b.x));
}

static double2 root(int k, int n)
{
  double c, s = sincos(2*M_PI*k/n, &c);
  return (double2)(c, s);
}

static double2 times_i(double2 a)
{
  return (double2)(-a.y, a.x);
}

kernel void pass2(global const double2* in, global double2* out, int n, int l, double factor)
{
  int j = get_global_id(0), k = j%l;
  in += get_global_id(1)*n;
  out += get_global_id(1)*n;
  double2 a = in[j], b = mul(in[j + n/2], root(k, 2*l));
  int o = j/l*l*2 + k;
  out[o] = factor*(a + b);
  out[o + l] = factor*(a - b);
}

kernel void pass5(global const double2* in, global double2* out, int n, int l)
{
  const double C1 = 0.30901699437494742410, C2 = -0.80901699437494742410;
  const double S1 = 0.95105651629515357212, S2 = 0.58778525229247312917;
  int j = get_global_id(0), k = j%l, m = n/5;
  in += get_global_id(1)*n;
  out += get_global_id(1)*n;

  double2 w1 = root(k, 5*l);
  double2 w2 = mul(w1, w1);
  double2 w3 = mul(w2, w1);
  double2 w4 = mul(w2, w2);
  double2 x0 = in[j];
  double2 x1 = mul(in[j + m], w1);
  double2 x2 = mul(in[j + 2*m], w2);
  double2 x3 = mul(in[j + 3*m], w3);
  double2 x4 = mul(in[j + 4*m], w4);

  double2 p = x1 + x4, q = x2 + x3;
  double2 r = x1 - x4, s = x2 - x3;
  double2 e1 = x0 + C1*p + C2*q;
  double2 e2 = x0 + C2*p + C1*q;
  double2 d1 = times_i(S1*r + S2*s);
  double2 d2 = times_i(S2*r - S1*s);

  int o = j/l*l*5 + k;
  out[o] = x0 + p + q;
  out[o + l] = e1 + d1;
  out[o + 2*l] = e2 + d2;
  out[o + 3*l] = e2 - d2;
  out[o + 4*l] = e1 - d1;
}
