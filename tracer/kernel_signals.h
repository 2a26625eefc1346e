// Faults of kernel code that runs in this process (a page nobody may touch, an impossible division) and turns of the host
// executor that last too long arrive as signals.
#pragma once

namespace twiddle {

/// While one of these exists, a fault in kernel code ends the launch and not the program: on a thread of the host executor
/// and on those of an OpenCL driver for the processor (tracer/cpu_memory.h). Faults elsewhere are left to whoever handled
/// them before.
class KernelSignals {
 public:
  KernelSignals();
  ~KernelSignals();
  KernelSignals(const KernelSignals&) = delete;
  KernelSignals& operator=(const KernelSignals&) = delete;
};

/// Tells a worker's thread that the turn it was told to give up has taken too long.
int interrupt_signal();

}  // namespace twiddle
