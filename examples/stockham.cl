// twiddle view stockham.toml     an FFT that sorts while it goes: log2 n launches between two arrays
//
// twiddle verify stockham.toml compares the outcome with a transform in double precision.
#include "trace_device.h"

// n / 2 work-items. `done` points are transformed already: blocks of `done` points at a distance of n / 2 are merged, the
// outcome is written side by side.
kernel void stage(global const float2 *from, global float2 *to, int done TRACE_PARAMS)
{
  int i = get_global_id(0), distance = get_global_size(0);
  int k = i % done;                      // which point of its block
  float angle = -M_PI_F * k / done;      // of w = e^(-2 pi i k / (2 done))
  float2 w = (float2)(cos(angle), sin(angle));
  float2 a = from[i], b = from[i + distance];
  float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
  int o = (i - k) * 2 + k;
  to[o] = a + t;
  to[o + done] = a - t;
  TRACE_BUTTERFLY_TO(to, o, o + done, from, i, i + distance, w, a, b);
}
