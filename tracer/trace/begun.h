// Launches that began and did not end: the kernel took the process with it, or the user ended the run.
#pragma once

#include "tracer/trace/trace.h"

namespace twiddle {

/// AccessTotals::reason of a launch until it ends: before its accesses have come, and after that.
inline Message begun_reason(bool accesses_came) {
  return accesses_came
             ? Message("its accesses are here, but the trace was cut off before the operations that explain them")
             : Message("it began and did not end");
}

/// Whether a launch came to its end, so that what is not in the trace is not there for another reason.
inline bool has_ended(const LaunchInfo& launch) {
  const Message& reason = launch.accesses.reason;
  return reason.empty() || (reason != begun_reason(false) && reason != begun_reason(true));
}

}  // namespace twiddle
