#include "tracer/runtime/kernel_output.h"

#include <cstdio>
#include <mutex>

#include <fcntl.h>
#include <unistd.h>

namespace twiddle {
namespace {

std::mutex output_mutex;
int output_depth = 0;
int saved_output = -1;

}  // namespace

KernelOutput::KernelOutput() {
  const std::lock_guard lock(output_mutex);
  if (output_depth++ > 0) return;
  std::fflush(stdout);
  saved_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (saved_output >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
}

KernelOutput::~KernelOutput() {
  const std::lock_guard lock(output_mutex);
  if (--output_depth > 0 || saved_output < 0) return;
  std::fflush(stdout);  // the host executor's kernels print through the C library's buffer
  dup2(saved_output, STDOUT_FILENO);
  close(saved_output);
  saved_output = -1;
}

}  // namespace twiddle
