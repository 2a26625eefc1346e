// Radix-4 FFT by decimation in time, in place: base-4 digit reversal, then log4 N stages of butterflies of four points.
//
// Item d of the stage of span L (L* = L/4) has block k = d div L* and place j = d mod L*; its points are L* apart from
// x[kL + j] on. Reversing bits instead of digits puts the second and the third point in each other's place.

#include "trace_device.h"
#include "complex.h"
#include "reversal.h"

// The four points that butterfly d of a stage works on, and its place j in the block.
typedef struct {
  int j, i0, i1, i2, i3;
} Four;

Four four_of(int d, int span)
{
  int quarter = span / 4;
  int block = d / quarter;
  int j = d % quarter;
  int i0 = block * span + j;
  return (Four){j, i0, i0 + quarter, i0 + 2 * quarter, i0 + 3 * quarter};
}

// N items: puts the points into digit-reversed order. The smaller index of a pair swaps it, so that each is swapped once.
kernel void digit_reversal(global real2 *x, int digits TRACE_PARAMS)
{
  int g = get_global_id(0);
  int r = reverse_digits(g, digits);
  if (g < r) {
    real2 a = x[g], b = x[r];
    x[g] = b;
    x[r] = a;
    TRACE_SWAP(x, g, r, a, b);
  }
}

// The butterfly of four points: (a + γ) ± (β + δ) and (a − γ) ± sign·i·(β − δ), where β, γ, δ are b, c, d times their twiddles.
void butterfly4(global real2 *x, Four p, real2 a, real2 beta, real2 gamma, real2 delta, int sign)
{
  real2 t0 = a + gamma, t1 = a - gamma, t2 = beta + delta, t3 = times_i(beta - delta, sign);
  x[p.i0] = t0 + t2;
  x[p.i1] = t1 + t3;
  x[p.i2] = t0 - t2;
  x[p.i3] = t1 - t3;
}

// N/4 items: the stage of this span.
kernel void radix4_stage(global real2 *x, int span, int sign TRACE_PARAMS)
{
  Four p = four_of(get_global_id(0), span);
  real2 w1 = twiddle(p.j, span, sign), w2 = twiddle(2 * p.j, span, sign), w3 = twiddle(3 * p.j, span, sign);
  real2 a = x[p.i0], b = x[p.i1], c = x[p.i2], d = x[p.i3];
  butterfly4(x, p, a, multiply(w1, b), multiply(w2, c), multiply(w3, d), sign);
  TRACE_BUTTERFLY4(x, p.i0, p.i1, p.i2, p.i3, w1, w2, w3, a, b, c, d);
}

// The same with the long table: its row (L*−1)/3 + j holds w_L^j, w_L^2j, w_L^3j, so that each stage reads rows in a row.
kernel void radix4_stage_table(global real2 *x, int span, int sign, constant real2 *table TRACE_PARAMS)
{
  Four p = four_of(get_global_id(0), span);
  int row = (span / 4 - 1) / 3 + p.j;
  real2 w1 = table[3 * row], w2 = table[3 * row + 1], w3 = table[3 * row + 2];
  real2 a = x[p.i0], b = x[p.i1], c = x[p.i2], d = x[p.i3];
  butterfly4(x, p, a, multiply(w1, b), multiply(w2, c), multiply(w3, d), sign);
  TRACE_BUTTERFLY4(x, p.i0, p.i1, p.i2, p.i3, w1, w2, w3, a, b, c, d);
}
