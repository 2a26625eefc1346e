// The same FFT in CUDA C++, for NVIDIA GPUs (--runtime cuda) and for this machine's processor (--runtime host), where wrong
// indices and barriers are caught at the work-item. To write OpenCL alone, delete this file; to write CUDA alone, delete
// mine.cl.
#include "trace_device.h"

// N threads: puts each point where the butterflies want it, at its index with the bits reversed.
extern "C" __global__ void reverse(const float2 *in, float2 *out, int bits TRACE_PARAMS)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = 0;
  for (int b = 0; b < bits; b++)
    r |= ((i >> b) & 1) << (bits - 1 - b);
  float2 v = in[i];
  out[r] = v;
  TRACE_MOVE(out, r, in, i, v);
}

// N/2 threads: merges blocks of `half_span` points in pairs, in place.
extern "C" __global__ void stage(float2 *x, int half_span TRACE_PARAMS)
{
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int k = g % half_span;  // which butterfly of its block
  int i0 = g / half_span * 2 * half_span + k;
  int i1 = i0 + half_span;
  float angle = -3.14159265f * k / half_span;  // of w = e^(-2 pi i k / (2 half_span))
  float2 w = make_float2(cosf(angle), sinf(angle));
  float2 a = x[i0], b = x[i1];
  float2 t = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
  x[i0] = make_float2(a.x + t.x, a.y + t.y);
  x[i1] = make_float2(a.x - t.x, a.y - t.y);
  TRACE_BUTTERFLY(x, i0, i1, w, a, b);
}
