#include "tracer/runtime/runtime.h"

#include "base/error.h"

#include <algorithm>
#include <atomic>

namespace twiddle {

void Runtime::copy(BufferHandle from, BufferHandle to, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t(16) << 20;
  std::vector<std::byte> through(std::min(bytes, piece));
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::span<std::byte> part = std::span(through).first(std::min(piece, bytes - at));
    download(from, at, part);
    upload(to, at, part);
  }
}

RawAccesses Runtime::run_logged(const KernelCall& call, const AccessRequest&) {
  throw Error(ExitCode::usage, no_accesses(call.program));
}

namespace {
std::atomic<bool> left_running = false, ends_with_launch = false;
}

Overdue::Overdue(bool still_running) : std::runtime_error("a launch did not end within the time limit") {
  if (still_running) left_running = true;
}

bool launch_left_running() { return left_running; }
void note_launch_left_running() { left_running = true; }

void end_with_stopped_launch() { ends_with_launch = true; }
bool ends_with_stopped_launch() { return ends_with_launch; }

}  // namespace twiddle
