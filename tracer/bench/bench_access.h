// `twiddle bench access`: what it costs to see every access of kernels that say nothing themselves: on the device, in the file,
// and until operations are found in them.
#pragma once

#include "tracer/run/tracer.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace twiddle {

struct AccessBenchOptions {
  std::uint64_t n = std::uint64_t(1) << 20;  // points of the one-dimensional algorithms
  int passes = 5;                            // of every launch; the quickest counts
};

/// One algorithm of the catalogue, all of its launches together.
struct AccessBenchRow {
  std::string algorithm;
  std::uint64_t n = 0;         // its points: fewer than asked for where it has a limit
  std::uint64_t records = 0;   // accesses, barriers among them
  double plain_ns = 0;         // on the device, without a log
  double logged_ns = 0;        // on the device, while every access is logged
  double wall_ns = 0;          // of one logged run with what it takes to read the log, host time
  double file_bytes = 0;       // a record, as a trace file keeps them
  double operation_bytes = 0;  // a record, of the operations that explain them, and of what they do not explain
  double encode_ns = 0;        // host time of all, operations among them
  double lift_ns = 0;          // host time until all operations are found
  double explained = 0;        // of the writes, 0 … 1
  double ratio() const { return plain_ns > 0 ? logged_ns / plain_ns : 0; }
  double lifted_per_second() const { return lift_ns > 0 ? double(records) * 1e9 / lift_ns : 0; }
};

struct AccessBench {
  std::string runtime, device, driver;
  std::vector<AccessBenchRow> rows;
};

/// Runs algorithms that a launch or several make of one-dimensional data, from the first to the last of a fixed list; an
/// algorithm whose accesses the runtime cannot log is left out. Throws Error: usage with the runtime's reason where that is so
/// of all of them, no_device when the device fails or has not the memory.
AccessBench bench_access(Runtime& runtime, const AccessBenchOptions& options, const Progress& progress = {});

std::string bench_text(const AccessBench& bench);
std::string bench_json(const AccessBench& bench);

}  // namespace twiddle
