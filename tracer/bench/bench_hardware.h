// `twiddle bench hardware`: what the log says that kernels ask of memory, beside what the GPU's own counters say.
#pragma once

#include "tracer/replay/memory_counts.h"
#include "tracer/run/tracer.h"
#include "tracer/runtime/runtime.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

struct HardwareBenchOptions {
  std::uint64_t n = 1024;          // where an algorithm takes it; else what it takes by itself
  std::vector<std::string> rungs;  // as for bench kernels; empty: the catalogue, with every --method
  std::string program;             // this program's file: the profiler runs it
  std::string profiler;            // Nsight Compute's ncu; empty: the one that is found
};

/// A launch, and each counter: what the log says, and what the GPU counted.
struct HardwareLaunch {
  MemoryCounts logged;
  std::array<std::optional<double>, memory_counters> counted{};

  /// Whether a counter that is not zero in both is the same, within half a per cent.
  bool same(std::size_t counter) const;
  bool used(std::size_t counter) const;
};

struct HardwareRow {
  std::string rung, parameters;
  std::string trouble;  // why there are no numbers
  std::vector<HardwareLaunch> launches;
};

struct HardwareBench {
  std::string device, driver, version, created;
  std::vector<HardwareRow> rows;
};

/// The rungs that are measured when none is named: each algorithm of the catalogue, with each word of its --method.
std::vector<std::string> hardware_rungs();

/// Traces every rung for the log's counts, and has the profiler run them all once without a log, in a process of its own. Throws
/// Error: usage for a rung that there is not, or a runtime whose launches no profiler counts; no_device without a profiler, or
/// where it may not read the counters.
HardwareBench bench_hardware(Runtime& runtime, const HardwareBenchOptions& options, const Progress& progress = {});

/// What the profiler runs: every launch of the rungs once, without a log, in order. Those that cannot run are left out, as
/// bench_hardware leaves them out.
void run_for_counters(Runtime& runtime, const HardwareBenchOptions& options);

/// A launch as `ncu --csv --page raw` prints it. Throws Error (unreadable) where the text is no such table.
struct CountedKernel {
  std::string kernel;
  std::array<std::optional<double>, memory_counters> counted{};
};
std::vector<CountedKernel> counted_kernels(const std::string& csv);

std::string bench_text(const HardwareBench& bench);
std::string bench_json(const HardwareBench& bench);

}  // namespace twiddle
