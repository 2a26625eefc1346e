// What an algorithm computed, run here and now without a log or read from the end of its trace: what `verify` compares
// and `export` draws.
#pragma once

#include "cli/options.h"
#include "kernels/catalogue/reference.h"
#include "kernels/plan/plan.h"

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace twiddle::cli {

struct EndResult {
  Plan plan;                             // of a trace: as much of it as its expectation needs
  std::string runtime, device;           // where it ran
  std::vector<std::byte> input, output;  // of the buffers that the plan's expectation names
  std::vector<Message> notes;            // what was done to fit files into the buffers
  std::vector<Message> faults;           // what the runtime noticed of kernels, a sentence each

  const Buffer& output_buffer() const { return *plan.buffer_named(plan.expect.output); }
  /// The output's elements as complex numbers.
  std::vector<std::complex<double>> values() const { return values_of(output_buffer(), output); }
};

/// Of an algorithm or a plan file: in the `order`-th of the orders that were asked for, and with the kernels that log.
struct RunSettings {
  std::size_t order = 0;
  bool traced = false;
};

/// Runs `subject` with these options when it is an algorithm or a plan file; replays it to its end when it is a trace.
/// Throws Error: usage when it does not say what its outcome is, or when the trace was interrupted.
EndResult end_result(const RunOptions& options, const std::string& subject, const RunSettings& how = {});

}  // namespace twiddle::cli
