// Which devices there are, and the Runtime of one of them.
#pragma once

#include "kernels/plan/plan.h"
#include "tracer/runtime/runtime.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// For the first line of main(): afterwards devices are probed by a child process before this one touches a driver
/// (tracer/runtime/device_probe.h). In that child it probes and does not return. A program that never calls this takes
/// drivers as they are.
void allow_probes(int count, char** arguments);

/// Every device of every runtime that is there and works; reasons for those that are not ("cuda: libcuda.so.1 was not
/// found").
DeviceList list_devices();

/// Opens a device: runtime "auto" takes an OpenCL GPU, then CUDA, then any OpenCL device, then the host; where a device
/// other than 0 is asked for, "auto" means OpenCL. A runtime's devices are numbered from 0, its GPUs first. With `host`,
/// "auto" means the host, which alone can be told an order. Throws Error: no_device that says what there is, usage for
/// `host` with another runtime.
std::unique_ptr<Runtime> open_runtime(std::string_view runtime, int device,
                                      const std::optional<HostOptions>& host = {});

/// What "auto" means for a plan: where its kernels are written in OpenCL C alone, "opencl"; where in CUDA C++ alone, "cuda" if
/// there is such a device, else "host". Any other name, and "auto" for any other plan, stays what it is.
std::string runtime_for(const Plan& plan, std::string_view runtime);

/// What the probes of the runtimes that were asked for left out, a sentence each with the runtime before it.
std::vector<std::string> devices_left_out();

}  // namespace twiddle
