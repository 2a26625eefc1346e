// twiddle view stockham.toml --runtime host     the same in CUDA C++; --runtime cuda runs it on an NVIDIA GPU
#include "trace_device.h"

// n / 2 threads; see stockham.cl.
extern "C" __global__ void stage(const float2 *from, float2 *to, int done TRACE_PARAMS)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, distance = gridDim.x * blockDim.x;
  int k = i % done;
  float angle = -3.14159265f * k / done;
  float2 w = make_float2(cosf(angle), sinf(angle));
  float2 a = from[i], b = from[i + distance];
  float2 t = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
  int o = (i - k) * 2 + k;
  to[o] = make_float2(a.x + t.x, a.y + t.y);
  to[o + done] = make_float2(a.x - t.x, a.y - t.y);
  TRACE_BUTTERFLY_TO(to, o, o + done, from, i, i + distance, w, a, b);
}
