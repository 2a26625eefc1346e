// OpenCL kernels on this processor without a driver, for trials that are thrown away.
#pragma once

#include "tracer/runtime/runtime.h"

#include <memory>

namespace twiddle {

/// Runs OpenCL kernels on this very thread, which a kernel that leaves its memory may end: to be used in copies of the process.
/// It says of itself what `device` is, so that plans are held to the same limits. Throws Error (no_device) where no Clang is
/// found. `build` throws no_device, too, for what needs a driver: images, half numbers, sub-groups.
std::unique_ptr<Runtime> open_direct_runtime(const DeviceInfo& device);

}  // namespace twiddle
