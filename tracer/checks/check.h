// The one interface of all checks. The driver walks a trace once, in step order, and shows every operation to every check;
// a check keeps what it needs and adds findings. Cost is linear in the trace, memory in the buffers' elements. Half of the
// checks walk on another thread (check.cpp says which), so that none may touch another's state.
#pragma once

#include "tracer/checks/access_walk.h"
#include "tracer/checks/finding.h"
#include "tracer/checks/findings.h"
#include "tracer/replay/replay.h"

#include <functional>
#include <memory>
#include <vector>

namespace twiddle {

class Check {
 public:
  virtual ~Check() = default;
  virtual void begin_launch(const LaunchInfo&) {}
  /// A block as columns, before its operations come one by one.
  virtual void block(const OperationBlock&, Findings&) {}
  /// Operations come in order of launch, epoch, stage, item, slot; barriers after the epoch that they end.
  virtual void operation(const Operation&, Findings&) {}
  /// Of launches whose accesses are in the trace: each record in the order of access_walk.h, before the launch's operations.
  virtual void access(const AccessEvent&, Findings&) {}
  virtual void end_accesses(const LaunchInfo&, Findings&) {}
  virtual void end_launch(const LaunchInfo&, Findings&) {}
  /// After the last launch; what the checks before this one have found is in `findings` already.
  virtual void end(Findings&) {}
};

/// Runs all checks. `progress` gets the fraction done; returning false stops with what was found so far.
std::vector<Finding> check_trace(Replay& replay, const std::function<bool(double)>& progress = {});

// One function a module; each is in the file of its name. A null pointer: nothing in this trace for it to look at.
std::unique_ptr<Check> make_fault_check(const TraceInfo& info);
std::unique_ptr<Check> make_race_check(const TraceInfo& info);
std::unique_ptr<Check> make_access_race_check(const TraceInfo& info);
std::unique_ptr<Check> make_access_memory_check(const TraceSource& trace);
std::unique_ptr<Check> make_use_check(const TraceSource& trace);
std::unique_ptr<Check> make_bounds_check(const TraceInfo& info);
std::unique_ptr<Check> make_uninitialised_check(const TraceSource& trace);
std::unique_ptr<Check> make_barrier_check(const TraceInfo& info);
std::unique_ptr<Check> make_consistency_check(Replay& replay);
std::unique_ptr<Check> make_arithmetic_check(const TraceInfo& info);
std::unique_ptr<Check> make_same_index_check(const TraceInfo& info);
std::unique_ptr<Check> make_transform_check(const TraceSource& trace);
std::unique_ptr<Check> make_dft_check(const TraceInfo& info);
std::unique_ptr<Check> make_accounting_check(const TraceSource& trace);
std::unique_ptr<Check> make_numerics_check(const TraceInfo& info);
std::unique_ptr<Check> make_stride_check(const TraceInfo& info);
std::unique_ptr<Check> make_outcome_check(Replay& replay);
std::unique_ptr<Check> make_memory_check(const TraceInfo& info);
std::unique_ptr<Check> make_lanes_check(const TraceInfo& info);

}  // namespace twiddle
