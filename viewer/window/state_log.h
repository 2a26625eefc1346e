// The window's state as JSON lines: what a test that presses keys from outside reads back.
#pragma once

#include "viewer/control/window_control.h"

#include <cstdio>
#include <filesystem>

namespace twiddle {

struct FrameTimes {
  std::uint64_t frame = 0;  // counted from 1
  double build_ms = 0, paint_ms = 0;
  bool notes = false;  // the presenter has a window
};

class StateLog {
 public:
  /// "-" writes to standard output; an empty path means $TWIDDLE_WINDOW_LOG, else nowhere. Throws Error (usage) when the file
  /// cannot be written.
  explicit StateLog(std::filesystem::path file);
  ~StateLog();
  StateLog(const StateLog&) = delete;
  StateLog& operator=(const StateLog&) = delete;

  bool on() const { return file_ != nullptr; }
  void write(WindowControl& control, const FrameTimes& times);

 private:
  std::FILE* file_ = nullptr;
};

}  // namespace twiddle
