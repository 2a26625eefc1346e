// Programs that know nothing of Twiddle (tests/record/programs), run by themselves and under `twiddle record`.
#pragma once

#include "run_program.h"
#include "runtimes/opencl_device.h"
#include "tracer/trace/trace_source.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace twiddle {

inline std::string program_named(const std::string& name) {
  return std::string(TWIDDLE_RECORDED_PROGRAMS) + "/twiddle_recorded_" + name;
}

/// The layer and the rewriter are optional parts of the build, and a device is needed.
inline bool can_record() {
  const auto folder = program_file().parent_path();
  const bool can = std::filesystem::exists(folder / "libtwiddle-opencl-layer.so") &&
                   std::filesystem::exists(folder / "twiddle-rewriter") && opencl();
  if (!can) MESSAGE("nothing can be recorded here");
  return can;
}

/// What the command prints by itself.
inline Ran run_plain(const TestFolder& folder, const std::string& command) {
  const std::string out = folder.file("plain");
  const int status = std::system((command + " > " + out + " 2>/dev/null < /dev/null").c_str());
  Ran ran{WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), content_of(out), {}};
  std::filesystem::remove(out);
  return ran;
}

/// Operations of a kind in a trace.
inline std::uint64_t count_of(const TraceSource& trace, OperationKind kind) {
  std::uint64_t count = 0;
  for (const Segment& segment : trace.info().segments)
    if (segment.kind == kind) count += segment.count;
  return count;
}

}  // namespace twiddle
