// The host runtime: the CUDA kernels on the processor, compiled by the system's C++ compiler, work-items as fibers. It is the
// oracle for the GPU: every access is checked, and the order of unordered work-items is chosen.
#pragma once

#include "tracer/host/host_executor.h"
#include "tracer/runtime/runtime.h"

#include <memory>

namespace twiddle {

/// Adds the host as a device, or why it cannot be one (no C++ compiler).
void list_host_devices(DeviceList& list);

/// Throws Error (no_device) when there is no C++ compiler. Its run() throws KernelFault for what no kernel may do.
std::unique_ptr<Runtime> open_host_runtime(const HostOptions& options = {});
/// The same for a plan that is run again and again: a program that was built before is not compiled or loaded once more, and
/// its variables hold what they held when it was. One PlanRun at a time.
std::unique_ptr<Runtime> open_repeating_host_runtime(const HostOptions& options = {});

}  // namespace twiddle
