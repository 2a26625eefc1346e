// The OpenCL runtime: any device of any installable client driver (ICD), through the loader.
#pragma once

#include "tracer/runtime/runtime.h"

#include <memory>

namespace twiddle {

/// Adds every OpenCL device, GPUs first, or the reason why there is none.
void list_opencl_devices(DeviceList& list);

/// Opens the device with that index in the list. Throws Error (no_device).
std::unique_ptr<Runtime> open_opencl_runtime(int device);

}  // namespace twiddle
