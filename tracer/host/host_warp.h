// What the lanes of a warp give each other: shuffles, votes and reductions, once all that take part have arrived.
#pragma once

#include "tracer/host/simt/abi.h"

#include <array>
#include <span>

namespace twiddle {

/// What a lane brings: its value, and for a shuffle the lane whose value it wants.
struct WarpLane {
  unsigned long long value = 0;
  unsigned source = 0;
};

/// What each lane gets; `taking_part` has a bit for each of at most 32 lanes, and the others get 0. Who shuffles from a lane
/// that takes no part keeps its own value.
std::array<unsigned long long, twiddle_host::warp_size> warp_results(twiddle_host::WarpOperation operation,
                                                                     std::span<const WarpLane> lanes,
                                                                     unsigned taking_part);

}  // namespace twiddle
