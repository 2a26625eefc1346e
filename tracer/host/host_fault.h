// Faults of the host executor in words.
#pragma once

#include "tracer/host/host_worker.h"
#include "tracer/runtime/kernel_fault.h"

namespace twiddle {

/// The sentence and the parts: which work-item, line, buffer and element.
KernelFault describe_fault(const HostFault& fault, const HostLaunch& launch);

}  // namespace twiddle
