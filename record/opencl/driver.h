// The functions below this layer: the next layer's, or the loader's own. Inside the layer every cl… function is one of those
// (driver.cpp), so that what the layer does itself is never seen by the layer.
#pragma once

#include <CL/cl.h>
#include <CL/cl_icd.h>

namespace twiddle::layer {

extern const cl_icd_dispatch* driver;

}  // namespace twiddle::layer
