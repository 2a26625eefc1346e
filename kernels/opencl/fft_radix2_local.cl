// Radix-2 FFT of the lines of an array, in local memory: LINES lines a work-group, each read once and written once.
//
// Element j of line l is x[l·distance + j·stride]: stride 1 for rows, distance 1 for columns. A line of n points has n items
// to load and to store it, but only n/2 butterflies a stage; with two lines a group no item idles.
//
//   -DLINES=1 or 2

#include "trace_device.h"
#include "complex.h"
#include "reversal.h"

int place(int line, int j, int distance, int stride) { return line * distance + j * stride; }

// n = 2^bits items a group (GROUP); s holds LINES·n points, table[k] = e^(∓2πi·k/n) for k < n/2.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_lines(global const real2 *x, global real2 *X, local real2 *s, global const real2 *table, int n, int bits,
               int distance, int stride TRACE_PARAMS)
{
  int lid = get_local_id(0), first = get_group_id(0) * LINES;

  // Load the lines in bit-reversed order, so that the results will be, and be written, in order.
  for (int l = 0; l < LINES; ++l) {
    int from = place(first + l, lid, distance, stride), to = l * n + reverse_bits(lid, bits);
    real2 v = x[from];
    s[to] = v;
    TRACE_MOVE(s, to, x, from, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

  // All stages: the first n/2 items work on the first line, the others on the second, when there is one.
  int line = lid / (n / 2), g = lid % (n / 2);
  for (int span = 2, stage = 1; span <= n; span *= 2, ++stage) {
    TRACE_STAGE(stage);
    if (line < LINES) {
      int stride_in_line = span / 2;
      int block = g / stride_in_line, j = g % stride_in_line;
      int i0 = line * n + block * span + j, i1 = i0 + stride_in_line;
      real2 w = table[j * (n / span)];
      real2 a = s[i0], b = s[i1];
      real2 t = multiply(w, b);
      s[i0] = a + t;
      s[i1] = a - t;
      TRACE_BUTTERFLY(s, i0, i1, w, a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  for (int l = 0; l < LINES; ++l) {
    int from = l * n + lid, to = place(first + l, lid, distance, stride);
    real2 v = s[from];
    X[to] = v;
    TRACE_MOVE(X, to, s, from, v);
  }
}
