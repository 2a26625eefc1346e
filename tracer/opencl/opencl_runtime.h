// The OpenCL runtime: any device of any installable client driver (ICD), through the loader.
#pragma once

#include "tracer/runtime/runtime.h"

#include <functional>
#include <memory>

namespace twiddle {

/// Adds every OpenCL device, GPUs first, and the reasons for what was left out or why there is none.
void list_opencl_devices(DeviceList& list);

/// Opens the device with that index in the list. Throws Error (no_device).
std::unique_ptr<Runtime> open_opencl_runtime(int device);

/// In a probe's child: opens every device and gives it to `job`, whose Error is the reason why a device is left out.
void probe_opencl_devices(const std::function<void(Runtime&)>& job);

}  // namespace twiddle
