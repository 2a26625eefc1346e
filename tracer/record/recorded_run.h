// A program that is recorded, as a trace that grows while the program runs: launches come one after another with what they
// accessed, no matter what logged them (OpenCL's layer, CUDA's injected library).
#pragma once

#include "tracer/access/access.h"
#include "tracer/run/launch_operations.h"
#include "tracer/run/probes.h"
#include "tracer/trace/trace.h"
#include "tracer/trace/trace_sink.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace twiddle {

/// A memory object or allocation that a launch touches.
struct RecordedMemory {
  std::uint64_t id = 0;  // of its own for each that there ever was in the program
  std::string name;      // to show; empty: none is known
  std::uint64_t bytes = 0;
  std::optional<ElementType> type;               // of its elements; without one, what most accesses take them for
  std::optional<ElementType> pointed_to;         // what the kernel's parameter says they are
  std::optional<std::vector<std::byte>> before;  // its content, where it is new or was changed since the last launch
  std::optional<std::vector<std::byte>>
      after;  // its content behind the launch, where the kernel may have written to it
};

/// Accesses of a run of a launch's items.
struct RecordedWindow {
  RawAccesses accesses;
  std::vector<int> memory;  // for each of its ranges: index into RecordedLaunch::memory; −1: a variable of the kernel's
  std::vector<std::uint64_t> offset;  // for each of its ranges: where in that memory it begins, bytes
};

struct RecordedLaunch {
  LaunchInfo info;                  // kernel, label, sizes, arguments, device time; numbers are given here
  std::vector<SourceText> sources;  // of its program, the kernel's own first; may be none
  std::vector<RecordedMemory> memory;
  // For each of info.arguments that is memory: index into `memory`, whose name in the trace comes before the text; else −1.
  std::vector<int> argument_memory;
  std::vector<RecordedWindow> windows;  // items ascending
  std::uint64_t lost = 0;               // beside what the windows say
  bool typed_ranges = false;            // ranges know their elements' types better than places do
  Message reason;                       // why it ran without being seen; then there are no windows
  int probes = 0;                       // runs on other data: −1 where they are needed, as many as that takes
  // Where there can be such: runs them, and gives the accesses of each. May give fewer.
  std::function<std::vector<RecordedWindow>(const WantedProbes&)> probe;
};

struct RecordOptions {
  bool lift = true;
  std::size_t max_accesses = std::size_t(1) << 26;  // of a launch, kept in memory until its operations are known
};

/// What a recording holds so far.
struct RecordedTotals {
  std::uint64_t launches = 0, plain = 0;  // all, and those of them that ran without being seen
  std::uint64_t begun = 0;                // beside those: that began and did not end (begun.h)
  std::uint64_t accesses = 0, lost = 0;
  std::uint64_t writes = 0, explained = 0, idle = 0;  // idle: beside them, whose values reach no result
  std::uint64_t unresolved = 0;                       // accesses whose memory is not known
  std::uint64_t probed = 0, probes = 0;               // launches that ran again on other data, and how often all did
  std::uint64_t outside = 0;                          // times that memory held something else than the last launch left
  std::map<OperationKind, std::uint64_t> operations;  // but loads, stores and barriers
  std::map<std::string, std::uint64_t> reasons;       // why launches ran without being seen, how many did
  std::map<std::string, std::uint64_t> unlogged;      // what kernels did that is not logged, in how many launches
};

class RecordedRun {
 public:
  /// `info` is what is known of the trace as a whole; `sink` gets begin() at once, launches as they come.
  RecordedRun(const TraceInfo& info, TraceSink& sink, const RecordOptions& options = {});

  /// Throws Error as the sink does; a launch that does not fit into a trace is one that was not seen, and counted.
  void add(RecordedLaunch&& launch);
  const RecordedTotals& totals() const { return totals_; }
  /// What a memory object holds after the launches so far; empty: none of them touched it.
  std::vector<std::byte> replayed(std::uint64_t memory_id) const;

 private:
  struct Prepared {
    std::vector<AccessLog> logs;
    std::vector<int> memory;  // the trace's buffer of each memory object
    std::size_t first_variable = 0;
  };
  int source_of(const std::vector<SourceText>& sources);
  void note_changes(const RecordedLaunch& launch);
  std::vector<int> number_memory(const RecordedLaunch& launch);
  void resolve_windows(RecordedLaunch& launch, Prepared& prepared);
  AccessLog resolved(const RecordedLaunch& launch, RecordedWindow&& window, const Prepared& prepared);
  LogKnowledge probes_of(const RecordedLaunch& launch, const Prepared& prepared);
  int variable(const AccessRange& range, std::size_t first_variable);
  void choose_types(const RecordedLaunch& launch, const Prepared& prepared, std::size_t added_from);
  void tell_sink_of(const RecordedLaunch& launch, std::size_t added_from);
  void hold_accesses(const LaunchInfo& launch, std::vector<AccessLog>& logs);
  void write(RecordedLaunch& launch, Prepared& prepared);
  std::string unused_name(const std::string& wanted);

  TraceInfo info_;
  TraceSink& sink_;
  RecordOptions options_;
  RecordedTotals totals_;
  std::map<std::uint64_t, int> buffers_;  // of memory objects, by id
  std::map<std::pair<std::string, std::string>, int> sources_;
  std::map<std::string, int> names_;  // of buffers, and how often each was wanted
};

}  // namespace twiddle
