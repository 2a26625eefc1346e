// The CUDA runtime: NVIDIA GPUs through the driver API, kernels compiled by NVRTC. Both are loaded at run time.
#pragma once

#include "tracer/runtime/runtime.h"

#include <memory>

namespace twiddle {

/// Adds every NVIDIA GPU, or why there is none (the library that was looked for).
void list_cuda_devices(DeviceList& list);

/// Throws Error (no_device) when the driver or NVRTC is missing, or there is no such GPU.
std::unique_ptr<Runtime> open_cuda_runtime(int device);

}  // namespace twiddle
