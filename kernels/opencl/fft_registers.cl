// Stockham's FFT with radix 16: an item holds 16 points in registers, so that four stages of radix 2 cost one pass over memory.
//
// Before the pass x[b + k·n/16] holds transforms of P points, after it y holds transforms of 16·P. Item b merges sixteen: it
// takes points b, b + n/16, …, multiplies point k by w_16P^(jk), j = b mod P, and transforms them: radix 4 twice.
//
//   -DRADIX=16, or 8, 4 or 2 in the last pass   -DROWS: of the first pass, P = 1   -DGROUP=items of a group   -DSIGN=-1 or 1

#include "trace_device.h"
#define EACH RADIX
#define FEW_REGISTERS
#include "registers.h"

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_registers(global const real2 *restrict x, global real2 *restrict y, int n, int P TRACE_PARAMS)
{
  int b = get_global_id(0), j = b & (P - 1);
  real2 v[RADIX];
#pragma unroll
  for (int k = 0; k < RADIX; ++k) {
    v[place(k, RADIX)] = x[b + k * (n / RADIX)];
    TRACE_MOVE(v, place(k, RADIX), x, b + k * (n / RADIX), v[place(k, RADIX)]);
  }

  TRACE_STAGE(1);
  if (P > 1) {
    Factors factors;
    factors.near[0] = (real2)(1, 0);
#pragma unroll
    for (int k = 1; k < RADIX; ++k) {
      real2 w = root_of(k, 0, j, P * RADIX, &factors), a = v[place(k, RADIX)];
      v[place(k, RADIX)] = multiply(w, a);
      TRACE_SCALE(v, place(k, RADIX), a, w);
    }
  }

#if RADIX == 2 || RADIX == 8
  TRACE_STAGE(2);
#pragma unroll
  for (int i = 0; i < RADIX; i += 2) {
    real2 a = v[i], b1 = v[i + 1], w = known_root(0, 2);
    v[i] = a + b1;
    v[i + 1] = a - b1;
    TRACE_BUTTERFLY(v, i, i + 1, w, a, b1);
  }
#endif
#pragma unroll
  for (int span = RADIX == 8 ? 8 : 4; span <= RADIX; span *= 4) {
    TRACE_STAGE(span == RADIX ? 4 : 3);
#pragma unroll
    for (int g = 0; g < RADIX / 4; ++g) {
      int r = g % (span / 4), i0 = g / (span / 4) * span + r, i1 = i0 + span / 4, i2 = i1 + span / 4, i3 = i2 + span / 4;
      real2 a = v[i0], b1 = v[i1], c = v[i2], d = v[i3];
      real2 beta = turned(b1, r, span), gamma = turned(c, 2 * r, span), delta = turned(d, 3 * r, span);
      real2 t0 = a + gamma, t1 = a - gamma, t2 = beta + delta, t3 = times_i(beta - delta, SIGN);
      v[i0] = t0 + t2;
      v[i1] = t1 + t3;
      v[i2] = t0 - t2;
      v[i3] = t1 - t3;
      TRACE_BUTTERFLY4(v, i0, i1, i2, i3, known_root(r, span), known_root(2 * r, span), known_root(3 * r, span), a, b1, c, d);
    }
  }

  TRACE_STAGE(5);
#ifdef ROWS
  // An item's results are neighbours: written by it, they would fall into other sectors than its neighbours'. Turned in shared
  // memory, neighbouring items write neighbours.
  local real2 s[GROUP * (RADIX + 1)];
  int lid = get_local_id(0);
#pragma unroll
  for (int f = 0; f < RADIX; ++f) {
    s[lid * (RADIX + 1) + f] = v[f];
    TRACE_MOVE(s, lid * (RADIX + 1) + f, v, f, v[f]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();
#pragma unroll
  for (int q = 0; q < RADIX; ++q) {
    int e = lid + GROUP * q, from = e / RADIX * (RADIX + 1) + e % RADIX;
    real2 a = s[from];
    y[get_group_id(0) * (GROUP * RADIX) + e] = a;
    TRACE_MOVE(y, get_group_id(0) * (GROUP * RADIX) + e, s, from, a);
  }
#else
#pragma unroll
  for (int f = 0; f < RADIX; ++f) {
    y[(b - j) * RADIX + j + f * P] = v[f];
    TRACE_MOVE(y, (b - j) * RADIX + j + f * P, v, f, v[f]);
  }
#endif
}
