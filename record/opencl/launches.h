// Launches: run by their twins, whose logs go into the recording.
#pragma once

#include <CL/cl_icd.h>

namespace twiddle::layer {

/// The entry points that launch kernels, and those of events that only the program itself can end.
void intercept_launches(cl_icd_dispatch& table);

}  // namespace twiddle::layer
