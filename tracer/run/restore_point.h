// The buffers of a launch, and its program's variables, as they were before it, so that it can be run again.
#pragma once

#include "tracer/run/plan_run.h"
#include "tracer/trace/trace_sink.h"

#include <cstdint>
#include <vector>

namespace twiddle {

class RestorePoint {
 public:
  /// No buffer is copied yet: until a block of the launch is appended, the sink's replay still holds the buffers.
  RestorePoint(PlanRun& run, const Launch& launch, const TraceSink& sink);
  ~RestorePoint();
  RestorePoint(const RestorePoint&) = delete;
  RestorePoint& operator=(const RestorePoint&) = delete;

  /// Copies the buffers on the device, as they are now. Later calls do nothing.
  void keep_copy();
  /// Puts variables and buffers back: these from the copy, else from what the sink replays.
  void restore();

  /// Takes note of what the buffers hold after a run; later runs are compared with the `first` one.
  void compare(bool first);
  bool differed() const { return differed_; }

 private:
  std::uint64_t digest(std::size_t buffer);

  PlanRun& run_;
  const TraceSink& sink_;
  std::vector<std::size_t> buffers_;  // of the plan, that the launch may write
  const PlanRun::ProgramStates states_;
  std::vector<BufferHandle> copies_;  // one for each, or none yet
  std::vector<std::uint64_t> digests_;
  bool differed_ = false;
};

}  // namespace twiddle
