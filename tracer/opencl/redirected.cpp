#include "tracer/opencl/redirected.h"

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace twiddle {

Redirected::Redirected(int descriptor, int target) : descriptor_(descriptor) {
  std::fflush(descriptor == STDOUT_FILENO ? stdout : stderr);
  const int to = target == nowhere ? open("/dev/null", O_WRONLY | O_CLOEXEC) : target;
  if (to < 0) return;
  saved_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (saved_ >= 0) dup2(to, descriptor);
  if (target == nowhere) close(to);
}

Redirected::~Redirected() {
  if (saved_ < 0) return;
  std::fflush(descriptor_ == STDOUT_FILENO ? stdout : stderr);
  dup2(saved_, descriptor_);
  close(saved_);
}

}  // namespace twiddle
