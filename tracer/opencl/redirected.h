// Standard output or standard error, sent elsewhere for a while: what drivers and kernels print goes where it belongs.
#pragma once

namespace twiddle {

class Redirected {
 public:
  static constexpr int nowhere = -1;
  /// Until the end of the scope, what is written to `descriptor` (1 or 2) goes to `target`, another descriptor or nowhere.
  Redirected(int descriptor, int target);
  ~Redirected();
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int descriptor_, saved_ = -1;
};

}  // namespace twiddle
