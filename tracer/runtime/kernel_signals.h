// Faults of kernel code that runs in this process (a page that must not be touched, an impossible division) and turns of
// the host executor that last too long arrive as signals.
#pragma once

#include <csignal>

namespace twiddle {

/// A signal as it arrived.
struct KernelSignal {
  int signal;
  const siginfo_t& info;
  const void* pc;       // where the code was interrupted; null on a processor that is not known here
  const void* context;  // the third argument of a signal handler
  bool
      driver_answers;  // a handler that was there before has an answer to this signal of its own (PoCL to divisions by 0)
};

/// Called in the signal handler, so it may only do what a signal handler may: true when the signal was for it and the code
/// can go on. It need not return.
using KernelSignalHandler = bool (*)(const KernelSignal&);

/// While one of these exists, a fault in kernel code ends the launch and not the program, for each runtime whose kernels
/// run in this process brings a handler that knows its own. Faults elsewhere are left to the handler that was there before.
class KernelSignals {
 public:
  /// `handler` is asked from now on until the process ends, handlers in the order in which they came; two at most.
  explicit KernelSignals(KernelSignalHandler handler);
  ~KernelSignals();
  KernelSignals(const KernelSignals&) = delete;
  KernelSignals& operator=(const KernelSignals&) = delete;
};

/// Tells a worker's thread that the turn it was told to give up has taken too long.
int interrupt_signal();

}  // namespace twiddle
