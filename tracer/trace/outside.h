// What is no kernel among a recording's launches: what the host, or what was not recorded, did to memory between two of them.
#pragma once

#include "tracer/trace/trace.h"

namespace twiddle {

inline constexpr const char *outside_kernel = "outside", *outside_label = "came from outside";

/// Whether a launch is such a change; its `unexplained` are the elements that were changed.
inline bool from_outside(const LaunchInfo& launch) {
  return launch.kernel == outside_kernel && launch.label == outside_label;
}

}  // namespace twiddle
