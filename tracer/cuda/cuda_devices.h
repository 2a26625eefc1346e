// Which NVIDIA GPUs there are, what the driver says of them, and what failed on one.
#pragma once

#include "tracer/cuda/cuda_api.h"
#include "tracer/runtime/runtime.h"

#include <array>
#include <cstddef>
#include <string>

namespace twiddle::cuda {

/// 0 where the driver does not say.
int attribute(const Driver& driver, DeviceAttribute which, Device device);
/// The x, y and z attributes, which follow each other.
std::array<std::size_t, 3> attributes(const Driver& driver, DeviceAttribute first, Device device);

/// Throws Error (no_device) when the driver cannot open it.
DeviceInfo describe_device(const Driver& driver, int index);
/// How many there are; throws Error (no_device) when it is none.
int count_devices(const Driver& driver);

/// The driver, unless a probe (device_probe.h) found that it may not be asked: then throws Error (no_device), saying why.
const Driver& probed_driver();
/// Throws Error (no_device) where a probe left the GPU out, saying why.
void need_probed(int device);

/// Throws Error (no_device) unless `result` is success: "{device} could not {doing}: …".
void check(const Driver& driver, Result result, const std::string& device, const std::string& doing);

}  // namespace twiddle::cuda
