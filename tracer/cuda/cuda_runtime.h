// The CUDA runtime: NVIDIA GPUs through the driver API, kernels compiled by NVRTC. Both are loaded at run time.
#pragma once

#include "tracer/runtime/runtime.h"

#include <functional>
#include <memory>

namespace twiddle {

/// Adds every NVIDIA GPU, and the reasons for what was left out or why there is none (the library that was looked for).
void list_cuda_devices(DeviceList& list);

/// Throws Error (no_device) when the driver or NVRTC is missing, or there is no such GPU.
std::unique_ptr<Runtime> open_cuda_runtime(int device);

/// In a probe's child: opens every GPU and gives it to `job`, whose Error is the reason why a GPU is left out.
void probe_cuda_devices(const std::function<void(Runtime&)>& job);

}  // namespace twiddle
