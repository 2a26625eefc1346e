// twiddle view count_digits.toml     a histogram: every work-item counts one digit into global memory
//
// twiddle check count_digits.toml says which bins the work-items of a sub-group wait for.
#include "trace_device.h"

// One work-item a digit.
kernel void count_digits(global const uint *digits, global uint *counts TRACE_PARAMS)
{
  int i = get_global_id(0);
  uint digit = digits[i];
  TRACE_LOAD(digits, i, digit);
  uint before = atomic_inc(&counts[digit]);
  TRACE_ATOMIC(counts, digit, before, 1u);
}
