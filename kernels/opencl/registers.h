// What transforms in registers need: roots of unity without slow divisions, and those that the compiler knows.
//
// -DSIGN=-1 or 1, of the exponent. Twiddles of two factors, a quarter of the sines and cosines: -DPRODUCTS. Each from the one before,
// whose roundings add up: -DRECURRENCE.
#include "complex.h"

#if defined(SINGLE) && !defined(FEW_REGISTERS)
// (cos πx, sin πx) to an ulp, by polynomials: drivers' own cospi and sinpi, one after the other, take several times as long, but
// fewer registers: -DFEW_REGISTERS is for a kernel that waits for memory and gains more by more groups at a time.
real2 circle(real x)
{
  real quarters = rint(2 * x), r = mad(-0.5f, quarters, x), s = r * r;  // |r| ≤ 1/4
  real c = mad(mad(mad(mad(0.23212542f, s, -1.3351378f), s, 4.0587106f), s, -4.934802f), s, 1.0f);
  real d = mad(r, M_PI_F, r * s * mad(mad(-0.59161174f, s, 2.549985f), s, -5.167712f));
  int quarter = (int)quarters;
  real2 w = quarter & 1 ? (real2)(-d, c) : (real2)(c, d);
  return quarter & 2 ? -w : w;
}
#else
real2 circle(real x) { return (real2)(cospi(x), sinpi(x)); }
#endif

// w_n^k = e^(SIGN·2πi·k/n), n a power of two: so that 1/n is exact, and the angle k/n takes no division of its own.
real2 root(int k, int n)
{
  real x = 2 * (1 / (real)n) * (real)k;
#ifdef NATIVE
  return (real2)(native_cos(M_PI_F * x), SIGN * native_sin(M_PI_F * x));
#else
  return circle(x) * (real2)(1, SIGN);
#endif
}

// Products of two factors: q = NEAR·a + b has one that all of the same b share, and one that all of the same a share.
#define NEAR (EACH > 16 ? 8 : 4)

// Of one item: w_n^(first + q·step) for q = 0, 1, 2 … in this order. Of products, `near` and `far` are the factors that several q have;
// of a recurrence they are the root before, at first 1 where q begins with 1, and the step.
typedef struct {
  real2 near[NEAR], far;
} Factors;
real2 root_of(int q, int first, int step, int n, Factors *w)
{
#ifdef PRODUCTS
  if (q < NEAR) return w->near[q] = root(first + q * step, n);
  if (q % NEAR == 0) w->far = root(q * step, n);
  return multiply(w->near[q % NEAR], w->far);
#elif defined(RECURRENCE)
  if (q == 0) return w->near[0] = root(first, n);
  if (q == 1) w->far = root(step, n);
  return w->near[0] = multiply(w->near[0], w->far);
#else
  return root(first + q * step, n);
#endif
}

// Of a group: the factors of w^q for 0 < q < R are those of q = 1 … NEAR − 1, then of NEAR, 2·NEAR …
#define FACTORS(R) ((R) <= NEAR ? (R) - 1 : NEAR - 2 + (R) / NEAR)
int power_of(int factor) { return factor < NEAR - 1 ? factor + 1 : (factor - NEAR + 2) * NEAR; }
// Where the factors of w^q are, if factor f is at f·pitch.
int near_of(int q, int pitch) { return (q % NEAR - 1) * pitch; }
int far_of(int q, int pitch) { return (NEAR - 2 + q / NEAR) * pitch; }
real2 product(int q, local const real2 *w, int pitch)
{
  if (q < NEAR) return w[near_of(q, pitch)];
  return q % NEAR == 0 ? w[far_of(q, pitch)] : multiply(w[near_of(q, pitch)], w[far_of(q, pitch)]);
}

// cos(2π k/64), 0 ≤ k ≤ 64
real cosine(int k)
{
  k = k > 32 ? 64 - k : k;
  int m = k > 16 ? 32 - k : k;
  real c = m == 0 ? 1 : m == 1 ? (real)0.99518472667219688624 : m == 2 ? (real)0.98078528040323044913 : m == 3 ? (real)0.95694033573220886494
           : m == 4 ? (real)0.92387953251128675613 : m == 5 ? (real)0.88192126434835502971 : m == 6 ? (real)0.83146961230254523708
           : m == 7 ? (real)0.77301045336273696081 : m == 8 ? (real)0.70710678118654752440 : m == 9 ? (real)0.63439328416364549822
           : m == 10 ? (real)0.55557023301960222474 : m == 11 ? (real)0.47139673682599764856 : m == 12 ? (real)0.38268343236508977173
           : m == 13 ? (real)0.29028467725446236764 : m == 14 ? (real)0.19509032201612826785 : m == 15 ? (real)0.09801714032956060199 : 0;
  return k > 16 ? -c : c;
}

// w_R^k of a k that the compiler knows, 0 ≤ k < R ≤ 64
real2 known_root(int k, int R)
{
  k *= 64 / R;
  return (real2)(cosine(k), SIGN * cosine(k < 16 ? 16 - k : k - 16));
}

// a·w_R^k, without the multiplications that are none
real2 turned(real2 a, int k, int R)
{
  k *= 64 / R;
  const real h = cosine(8);
  if (k == 0) return a;
  if (k == 16) return times_i(a, SIGN);
  if (k == 8) return (real2)((a.x - SIGN * a.y) * h, (a.y + SIGN * a.x) * h);
  if (k == 24) return (real2)(-(a.x + SIGN * a.y) * h, (SIGN * a.x - a.y) * h);
  return multiply(a, known_root(k, 64));
}

// In which register point k of a DFT of R points waits: its digits of base 4 reversed, so that the results come out in order.
int place(int k, int R)
{
  return R <= 2 ? k : R <= 16 ? k % 4 * (R / 4) + k / 4 : k % 4 * (R / 4) + k / 4 % 4 * (R / 16) + k / 16;
}
