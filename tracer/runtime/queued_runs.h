// Launches one behind the other without waiting in between: what a bench times.
#pragma once

#include "tracer/runtime/runtime.h"

#include <span>

namespace twiddle {

/// What a Runtime is as well, where it can run several launches on one stream.
class QueuedRuns {
 public:
  virtual ~QueuedRuns() = default;
  /// Runs the kernels in order and waits for the last; returns nanoseconds of the device's clock from the first one's start to
  /// the last one's end. What they do outside their buffers is not looked for. Throws Error as Runtime::run does.
  virtual double run_queued(std::span<const KernelCall> calls) = 0;
};

}  // namespace twiddle
