// Radix-2 FFT by decimation in time, in place, one launch a stage (Cooley and Tukey).
//
//   data ── bit_reversal ── first_stage (span 2) ──► F ── fft_stage, span 4 ── span 8 ── … ── span N ── scale (inverse)
//
// A butterfly of span L has its two points L/2 apart: a, b ← a + w·b, a − w·b, with the twiddle w = e^(∓2πi·j/L) for the
// j-th pair of its block. N/2 work-items do a stage, one butterfly each.

#include "trace_device.h"
#include "complex.h"
#include "reversal.h"

// The pair that butterfly g of a stage works on: its place j in the block, and its two points.
typedef struct {
  int j, i0, i1;
} Pair;

Pair pair_of(int g, int span)
{
  int stride = span / 2;
  int block = g / stride;
  int j = g % stride;
  int i0 = block * span + j;
  return (Pair){j, i0, i0 + stride};
}

// N items: puts the points into bit-reversed order. The smaller index of a pair swaps it, so that each is swapped once.
kernel void bit_reversal(global real2 *data, int bits TRACE_PARAMS)
{
  int g = get_global_id(0);
  int r = reverse_bits(g, bits);
  if (g < r) {
    real2 a = data[g], b = data[r];
    data[g] = b;
    data[r] = a;
    TRACE_SWAP(data, g, r, a, b);
  }
}

// N/2 items: span 2, whose only twiddle is 1.
kernel void first_stage(global const real2 *data, global real2 *F TRACE_PARAMS)
{
  Pair p = pair_of(get_global_id(0), 2);
  real2 a = data[p.i0], b = data[p.i1];
  F[p.i0] = a + b;
  F[p.i1] = a - b;
  TRACE_BUTTERFLY_TO(F, p.i0, p.i1, data, p.i0, p.i1, (real2)(1, 0), a, b);
}

// N/2 items: the stage of this span; sign −1 is the forward transform.
kernel void fft_stage(global real2 *F, int span, int sign TRACE_PARAMS)
{
  Pair p = pair_of(get_global_id(0), span);
  real2 w = twiddle(p.j, span, sign);
  real2 a = F[p.i0], b = F[p.i1];
  real2 t = multiply(w, b);
  F[p.i0] = a + t;
  F[p.i1] = a - t;
  TRACE_BUTTERFLY(F, p.i0, p.i1, w, a, b);
}

// The same with table[k] = e^(∓2πi·k/n), k < n/2, instead of sines and cosines.
kernel void fft_stage_table(global real2 *F, int span, global const real2 *table, int n TRACE_PARAMS)
{
  Pair p = pair_of(get_global_id(0), span);
  real2 w = table[p.j * (n / span)];
  real2 a = F[p.i0], b = F[p.i1];
  real2 t = multiply(w, b);
  F[p.i0] = a + t;
  F[p.i1] = a - t;
  TRACE_BUTTERFLY(F, p.i0, p.i1, w, a, b);
}
