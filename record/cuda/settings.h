// What the environment asks of the recorder.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace twiddle_cuda {

struct Settings {
  std::string folder;                // TWIDDLE_RECORD_DIR; empty: nothing is recorded
  std::vector<std::string> kernels;  // TWIDDLE_RECORD_KERNELS: patterns of names, separated by commas; empty: all
  std::uint64_t first_launch = 1, last_launch = UINT64_MAX;  // TWIDDLE_RECORD_LAUNCHES=A:B, from 1, both included
  std::uint64_t first_item = 0, end_item = UINT64_MAX;       // TWIDDLE_RECORD_ITEMS=A:B, from 0, both included
  std::uint64_t log_bytes = 1ull << 30;                      // TWIDDLE_RECORD_LOG_BYTES: the buffer on each device
  bool values = true;                                        // TWIDDLE_RECORD_DETAIL=values|index
  bool each_launch = false;  // TWIDDLE_RECORD_EACH=1: the log is fetched after each launch, which waits for it
  bool asked = false;        // TWIDDLE_RECORD_ASKED=1: only launches that this process asks for (twiddle_cuda_log_next)
  int writers = 4;           // TWIDDLE_RECORD_WRITERS
  std::set<int>
      instructions;  // TWIDDLE_RECORD_INSTRUCTIONS: the only ones patched, by the Sanitizer's numbers; to find faults
};

Settings settings_of_environment();

/// Whether a kernel is among those that are recorded. Patterns match its whole name, demangled or not, and its name without
/// template arguments and parameters.
bool wanted(const Settings& settings, const std::string& mangled);

}  // namespace twiddle_cuda
