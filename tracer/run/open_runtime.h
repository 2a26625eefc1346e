// Which devices there are, and the Runtime of one of them.
#pragma once

#include "tracer/runtime/runtime.h"

#include <memory>
#include <optional>
#include <string_view>

namespace twiddle {

/// Every device of every runtime that is there; reasons for those that are not ("cuda: libcuda.so.1 was not found").
DeviceList list_devices();

/// Opens a device: runtime "auto" takes an OpenCL GPU, then CUDA, then any OpenCL device, then the host; where a device
/// other than 0 is asked for, "auto" means OpenCL. A runtime's devices are numbered from 0, its GPUs first. With `host`,
/// "auto" means the host, which alone can be told an order. Throws Error: no_device that says what there is, usage for
/// `host` with another runtime.
std::unique_ptr<Runtime> open_runtime(std::string_view runtime, int device,
                                      const std::optional<HostOptions>& host = {});

}  // namespace twiddle
