// The accesses of a plan's launches: run with logging, window by window, and brought to the trace's buffers and sources.
#pragma once

#include "tracer/run/plan_run.h"
#include "tracer/run/restore_point.h"
#include "tracer/run/trace_setup.h"
#include "tracer/runtime/kernel_fault.h"

#include <vector>

namespace twiddle {

/// What a launch accessed. The logs are of items in ascending order, and their sites are TraceInfo::access_sites.
struct LaunchAccesses {
  std::vector<AccessLog> logs;
  AccessTotals totals;
  double device_ns = 0;
  int windows = 0;
};

class AccessRun {
 public:
  /// New sites go to the ends of `info`'s lists and to `sink`.
  AccessRun(PlanRun& run, TraceInfo& info, TraceSink& sink, const TraceOptions& options)
      : run_(run), info_(info), sink_(sink), options_(options) {}

  /// Runs the launch (index into the plan's) once for each window of items that fits into the log's memory, from restored
  /// buffers; afterwards the buffers are as the last run left them. `run_noting_faults` gets each run. What there is no room
  /// for is counted. Throws as Runtime::run_logged does.
  template <typename RunNotingFaults>
  LaunchAccesses log(std::size_t launch, const TracedLaunch& traced, RestorePoint& restore,
                     const RunNotingFaults& run_noting_faults) {
    LaunchAccesses logged;
    Window window = first_window(launch, traced);
    while (window.first < window.end) {
      if (runs_of_launch_++ > 0) restore.restore();
      restore.keep_copy();
      RawAccesses raw;
      bool ran = false;
      bool stopped = false;
      run_noting_faults([&] {
        try {
          raw = run_.run_logged(run_.plan().launches[launch], request_of(window.first, window.items));
        } catch (const KernelFault& fault) {
          stopped = true;
          if (fault.accesses) raw = *fault.accesses;
          ran = fault.accesses != nullptr;
          throw;
        }
        ran = true;
        return raw.device_ns;
      });
      if (ran) keep(launch, traced, std::move(raw), stopped, window, logged);
      if (!ran || stopped) break;
    }
    runs_of_launch_ = 0;
    return logged;
  }

  /// The accesses of some items of one run more; nothing where they do not fit into the log's memory. Throws as
  /// Runtime::run_logged does.
  std::optional<AccessLog> once_more(std::size_t launch, const TracedLaunch& traced, std::uint64_t first_item,
                                     std::uint64_t items);

 private:
  // Items first … end − 1 are still to be logged, `items` of them next.
  struct Window {
    std::uint64_t first = 0, end = 0, items = 0, group_size = 1;
  };
  Window first_window(std::size_t launch, const TracedLaunch& traced) const;
  AccessRequest request_of(std::uint64_t first_item, std::uint64_t items) const;
  AccessLog resolved(const TracedLaunch& traced, RawAccesses&& raw, std::uint64_t group_size) const;
  void keep(std::size_t launch, const TracedLaunch& traced, RawAccesses&& raw, bool stopped, Window& window,
            LaunchAccesses& logged);
  int source_named(const LaunchInfo& launch, const std::string& file) const;

  PlanRun& run_;
  TraceInfo& info_;
  TraceSink& sink_;
  const TraceOptions& options_;
  int runs_of_launch_ = 0;
};

}  // namespace twiddle
