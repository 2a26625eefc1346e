// What a runtime noticed of a launch, as a fault with a sentence.
#pragma once

#include "kernels/plan/plan.h"
#include "tracer/runtime/kernel_fault.h"
#include "tracer/runtime/runtime.h"
#include "tracer/trace/trace.h"

namespace twiddle {

/// What the kernel did that no kernel may do; `launch` is one of the plan's.
Fault fault_of(const Plan& plan, const Launch& launch, const KernelFault& fault);

/// What it touched outside the buffers of the launch with that number (from 1).
Fault fault_of(const Plan& plan, const Launch& launch, int number, const Runtime::Overrun& overrun);

}  // namespace twiddle
