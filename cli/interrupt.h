// Ctrl-C, and a progress bar for long runs.
#pragma once

#include "base/values/clock.h"

#include <chrono>
#include <stdexcept>
#include <string>

namespace twiddle::cli {

/// The user pressed Ctrl-C; the message says what happened to the work (exit code 130).
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While it exists, the first SIGINT, SIGTERM or SIGHUP only sets `asked()`; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  static bool asked();
};

/// A bar on standard error when that is a terminal, else nothing. Quick work (under 0.4 s) never shows it.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double fraction, const std::string& what);
  void clear();

 private:
  bool terminal_, drawn_ = false;
  Clock::time_point begun_, last_;
};

/// The line the bar draws: `width` columns at most.
std::string bar_line(double fraction, const std::string& what, int width, double seconds);

}  // namespace twiddle::cli
