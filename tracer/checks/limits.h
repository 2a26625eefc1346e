// How far checks go, and what they gave up at.
#pragma once

#include "tracer/checks/check.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace twiddle {

/// What is beyond is said to be unchecked, and is no finding.
struct CheckLimits {
  std::uint64_t order_steps = std::uint64_t(1) << 28;  // for a launch, to follow the order that its atomics make
  std::size_t waiting_reads = std::size_t(1) << 16;    // that another group may have written for
};

struct CheckedTrace {
  std::vector<Finding> findings;
  std::vector<Unchecked> unchecked;  // of launches, beside what unchecked_in() says of the trace
};
/// As check_trace(), with what the checks gave up.
CheckedTrace checked_trace(Replay& replay, const std::function<bool(double)>& progress = {},
                           const CheckLimits& limits = {});

/// The trace's facts with these among those of its launches, so that unchecked_in() says them, too.
TraceInfo with_unchecked(TraceInfo info, const std::vector<Unchecked>& unchecked);

/// A check that gives up at a limit.
class LimitedCheck : public Check {
 public:
  CheckLimits limits;
  std::vector<Unchecked> unchecked;  // what it gave up, by launch

 protected:
  void give_up(const LaunchInfo& launch, const Message& what) { unchecked.push_back({launch.number, what}); }
};

}  // namespace twiddle
