// What ends every inverse transform: 1/N.

#include "trace_device.h"
#include "complex.h"

// N items.
kernel void scale(global real2 *F, real factor TRACE_PARAMS)
{
  int g = get_global_id(0);
  real2 x = F[g];
  F[g] = x * factor;
  TRACE_SCALE(F, g, x, factor);
}
