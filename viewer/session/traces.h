// The trace that a window shows, and perhaps a second one beside it: opened, compared off the drawing thread, and opened
// anew when another program has written the file again.
#pragma once

#include "base/values/clock.h"
#include "viewer/compare/comparison.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/session/file_watch.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

namespace twiddle {

class Traces {
 public:
  explicit Traces(WindowControl& control);
  Traces(const Traces&) = delete;
  Traces& operator=(const Traces&) = delete;

  /// Two that the caller owns.
  void compare(Document& left, Document& right);
  /// Takes the place of what is shown.
  void show(std::unique_ptr<Document> fresh);
  /// The same, of another run of the same plan: what is pinned and zoomed stays.
  void replace(std::unique_ptr<Document> fresh);
  /// The trace of a file takes the place of what is shown, or is shown beside it. Throws Error when it cannot be read.
  void open(const std::filesystem::path& file);
  void open_beside(const std::filesystem::path& file);
  void show_beside(std::unique_ptr<Document> fresh);

  /// Whether two traces are still being compared.
  bool comparing() const { return comparing_; }
  /// Takes what other threads and programs have finished. True: another trace is shown.
  bool poll();
  /// Seconds after which to poll, though nothing happens in the window.
  static constexpr double poll_seconds = 1;

 private:
  WindowControl& control_;
  std::unique_ptr<Document> own_, own_beside_;
  std::optional<Comparison> comparison_;
  bool comparing_ = false;
  FileWatch watch_;
  Clock::time_point next_look_ = Clock::now();
  int looks_without_file_ = 0;

  void report_missing_file();
  void watch();
  bool reload_rewritten_file();
};

}  // namespace twiddle
