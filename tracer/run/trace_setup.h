// What can be said of a trace before anything has run: its metadata, and for every launch which of its trace lines name
// which buffers.
#pragma once

#include "tracer/log/log_reader.h"
#include "tracer/run/plan_run.h"
#include "tracer/run/tracer.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

struct TracedLaunch {
  bool traced = false;                          // false: runs without a log of trace lines
  bool logged = false;                          // its accesses are logged
  Message no_accesses;                          // why not, where they were asked for
  std::vector<int> arguments;                   // the trace's buffer of each argument of the launch; −1: none
  std::map<std::pair<int, int>, int> pointers;  // of structs: of an argument and its pointer
  struct Variable {
    AccessRange range;
    int buffer = -1;  // of the trace
  };
  std::vector<Variable> variables;  // arrays and constants of the kernel's own
  /// The trace's buffer that a range of a logged run is; −1: none.
  int buffer_of(const AccessRange& range) const;
  std::vector<SiteOfLaunch> sites;  // of its kernel
  bool one_segment = false;         // neither barriers nor stages of its own: all its work has the same place
  std::uint32_t first_slots = 1;    // a guess: one slot for each trace line
  std::uint32_t first_words = 1;    // a guess, from the types of the buffers
  LogFilter filter;
};

struct TraceSetup {
  TraceInfo info;
  std::vector<TracedLaunch> launches;  // as Plan::launches
  bool filtered = false;               // TRACE_FILTER is needed
  std::vector<Message> notes;
};

/// The time now as TraceInfo::created has it.
std::string now_utc();

/// Reads every kernel source of the plan. Throws Error (usage) for what does not fit together.
TraceSetup set_up_trace(PlanRun& run, const TraceOptions& options);

}  // namespace twiddle
