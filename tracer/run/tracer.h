// The tracer: executes a Plan on a Runtime with the log attached, and streams what was logged to a trace.
#pragma once

#include "base/message.h"
#include "kernels/plan/plan.h"
#include "tracer/runtime/runtime.h"
#include "tracer/trace/trace.h"
#include "tracer/trace/trace_sink.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

/// Which launches' accesses are logged, where the runtime can: all; none; or those of a user's own kernels.
enum class Accesses { Auto, All, None };

struct TraceOptions {
  Detail detail = Detail::Values;
  std::optional<std::pair<int, int>> stages;                     // kept: first … last
  std::optional<std::pair<std::uint64_t, std::uint64_t>> items;  // kept: first … last
  std::vector<std::string> buffers;                              // kept: operations that touch one of these; empty: all
  std::size_t window_bytes = std::size_t(192) << 20;  // device memory for the log: more operations go in windows
  Accesses accesses = Accesses::Auto;
  std::size_t max_accesses = std::size_t(1) << 24;  // of a launch, kept in memory until its operations are known
  bool probes = false;                              // run launches again on other data where values do not tell all
  bool read_back = true;                            // compare the replay with the device after every launch
};

/// Called now and then with the fraction done and what is being done; returning false cancels (the file stays readable).
using Progress = std::function<bool(double fraction, const Message& what)>;

struct TraceOutcome {
  std::uint64_t operations = 0;    // kept
  std::uint64_t lost = 0;          // attempted but not kept, beyond what the filters left out
  std::uint64_t device_bytes = 0;  // log bytes written on the device
  double kernel_ns = 0;            // traced device time, sum of launches
  double encode_ns = 0;            // host time to encode and write
  bool cancelled = false;
  bool stopped = false;         // a kernel did what no kernel may do: what it logged until then is kept
  std::vector<Message> faults;  // what the runtime noticed of kernels, a sentence each
  std::vector<Message> notes;   // one sentence each: re-runs, windows, things that differed between runs
};

/// Runs and traces into a file (TraceWriter), memory (MemoryTrace) or anything that takes blocks. Every buffer's end content
/// is what the device held. Finishing the trace (or, when cancelled, interrupting it) is left to the caller. Throws Error:
/// usage for a plan or a kernel that does not fit together, no_device when the device fails.
TraceOutcome trace_plan(const Plan& plan, Runtime& runtime, const TraceOptions& options, TraceSink& sink,
                        const Progress& progress = {});

/// Runs without a log. `kernel_ns` is the device time of all launches. Throws KernelFault where a kernel was stopped.
struct RunOutcome {
  std::vector<std::vector<std::byte>> buffers;
  double kernel_ns = 0;
  std::vector<Message> notes;   // what was done to fit files into the buffers; of a traced run, its notes
  std::vector<Message> faults;  // what the runtime noticed of kernels, a sentence each
};
RunOutcome run_plan(const Plan& plan, Runtime& runtime);
/// Runs as trace_plan does and drops the log: what the traced kernels leave behind. `options.read_back` has to be on.
/// Throws Error (findings) where a kernel was stopped.
RunOutcome run_traced_plan(const Plan& plan, Runtime& runtime, const TraceOptions& options,
                           const Progress& progress = {});

}  // namespace twiddle
