// An FFT of yours to change: bit reversal, then log2 N launches of `stage`. mine.toml says what it runs on.
//
//   twiddle trace mine.toml      runs it and logs every operation to mine.twd
//   twiddle view mine.toml       the same, and shows it; save this file, and the window traces again
//   twiddle verify mine.toml     compares the outcome with a transform in double precision
//
// A TRACE line comes after the writes and says what the work-item just did; all of them are listed at the top of
// trace_device.h. Without tracing they and TRACE_PARAMS (no comma before it) expand to nothing.
#include "trace_device.h"

// N work-items: puts each point where the butterflies want it, at its index with the bits reversed.
kernel void reverse(global const float2 *in, global float2 *out, int bits TRACE_PARAMS)
{
  int i = get_global_id(0);
  int r = 0;
  for (int b = 0; b < bits; b++)
    r |= ((i >> b) & 1) << (bits - 1 - b);
  float2 v = in[i];
  out[r] = v;
  TRACE_MOVE(out, r, in, i, v);
}

// N/2 work-items: merges blocks of `half_span` points in pairs, in place.
kernel void stage(global float2 *x, int half_span TRACE_PARAMS)
{
  int g = get_global_id(0);
  int k = g % half_span;  // which butterfly of its block
  int i0 = g / half_span * 2 * half_span + k;
  int i1 = i0 + half_span;
  float angle = -M_PI_F * k / half_span;  // of w = e^(-2 pi i k / (2 half_span))
  float2 w = (float2)(cos(angle), sin(angle));
  float2 a = x[i0], b = x[i1];
  float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
  x[i0] = a + t;
  x[i1] = a - t;
  TRACE_BUTTERFLY(x, i0, i1, w, a, b);
}
