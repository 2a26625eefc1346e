// Standard output or standard error, sent elsewhere for a while: what drivers and kernels print goes where it belongs. A
// kernel's printf is written by the driver, straight to the file descriptor.
#pragma once

namespace twiddle {

class Redirected {
 public:
  static constexpr int nowhere = -1;
  /// Until the end of the scope, what anything in the process writes to `descriptor` (1 or 2) goes to `target`, another
  /// descriptor or nowhere. They nest, in any thread: the youngest of those that are there decides.
  Redirected(int descriptor, int target);
  ~Redirected();
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int descriptor_, target_ = -1;
};

}  // namespace twiddle
