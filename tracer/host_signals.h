// Faults of kernel code (a page nobody may touch, an impossible division) and turns that last too long arrive as signals.
#pragma once

namespace twiddle {

/// While one of these exists, a fault in kernel code ends the launch and not the program; faults elsewhere are left to
/// whoever handled them before.
class HostSignals {
 public:
  HostSignals();
  ~HostSignals();
  HostSignals(const HostSignals&) = delete;
  HostSignals& operator=(const HostSignals&) = delete;
};

/// Tells a worker's thread that the turn it was told to give up has taken too long.
int interrupt_signal();

}  // namespace twiddle
