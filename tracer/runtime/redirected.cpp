#include "tracer/runtime/redirected.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace twiddle {
namespace {

std::mutex redirected_mutex;
std::array<std::vector<int>, 3> redirected_to;  // by descriptor: where it went at first, then the targets in force

int copy_of(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

// What the C library still holds goes where it was meant to: the host executor's kernels print through its buffer.
void flush(int descriptor) { std::fflush(descriptor == STDOUT_FILENO ? stdout : stderr); }

}  // namespace

Redirected::Redirected(int descriptor, int target) : descriptor_(descriptor) {
  const std::lock_guard lock(redirected_mutex);
  auto& targets = redirected_to[static_cast<std::size_t>(descriptor)];
  flush(descriptor);
  if (targets.empty())
    if (const int first = copy_of(descriptor); first >= 0) targets.push_back(first);
  if (!targets.empty()) target_ = target == nowhere ? open("/dev/null", O_WRONLY | O_CLOEXEC) : copy_of(target);
  if (target_ < 0) return;
  targets.push_back(target_);
  dup2(target_, descriptor);
}

Redirected::~Redirected() {
  if (target_ < 0) return;
  const std::lock_guard lock(redirected_mutex);
  auto& targets = redirected_to[static_cast<std::size_t>(descriptor_)];
  flush(descriptor_);
  targets.erase(std::find(targets.begin() + 1, targets.end(), target_));
  close(target_);
  dup2(targets.back(), descriptor_);
  if (targets.size() > 1) return;
  close(targets.front());
  targets.clear();
}

}  // namespace twiddle
