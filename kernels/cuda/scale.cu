// What ends every inverse transform: 1/N.

#include "trace_device.h"
#include "complex.h"

// N threads.
extern "C" __global__ void scale(real2 *F, real factor TRACE_PARAMS)
{
  int g = global_id();
  real2 x = F[g];
  F[g] = x * factor;
  TRACE_SCALE(F, g, x, factor);
}
