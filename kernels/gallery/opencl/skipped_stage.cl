// Gallery: a skipped stage. The span should double from stage to stage; shifted by the stage's number it goes 2, 4, 16: the
// stage of span 8 is left out, and the next one merges blocks that are only half as long as it takes them for.
#include "trace_device.h"
#include "../../opencl/complex.h"
#include "../../opencl/reversal.h"

// One row of n = 2^bits points a group, n/2 items; s holds the row.
kernel void fft_row(global const real2 *x, global real2 *X, local real2 *s, int n, int bits TRACE_PARAMS)
{
  int lid = get_local_id(0), row = get_group_id(0) * n;
  for (int j = lid; j < n; j += n / 2) {
    int to = reverse_bits(j, bits);
    real2 v = x[row + j];
    s[to] = v;
    TRACE_MOVE(s, to, x, row + j, v);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();

#ifdef RIGHT
  for (int span = 2, stage = 1; span <= n; span <<= 1, ++stage) {
#else
  for (int span = 2, stage = 1; span <= n; span <<= stage, ++stage) {
#endif
    TRACE_STAGE(stage);
    int stride = span / 2;
    int j = lid % stride, i0 = lid / stride * span + j, i1 = i0 + stride;
    real2 w = twiddle(j, span, -1);
    real2 a = s[i0], b = s[i1];
    real2 t = multiply(w, b);
    s[i0] = a + t;
    s[i1] = a - t;
    TRACE_BUTTERFLY(s, i0, i1, w, a, b);
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  for (int j = lid; j < n; j += n / 2) {
    real2 v = s[j];
    X[row + j] = v;
    TRACE_MOVE(X, row + j, s, j, v);
  }
}
