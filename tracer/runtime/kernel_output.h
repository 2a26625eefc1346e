// What kernels print is apart from what the program prints.
#pragma once

namespace twiddle {

/// While one of these is there, what anything in the process writes to standard output goes to standard error: a kernel's
/// printf is written by the driver, straight to the file descriptor. They nest, in any thread.
class KernelOutput {
 public:
  KernelOutput();
  ~KernelOutput();
  KernelOutput(const KernelOutput&) = delete;
  KernelOutput& operator=(const KernelOutput&) = delete;
};

}  // namespace twiddle
