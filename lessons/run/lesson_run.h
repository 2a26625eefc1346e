// The runs that a lesson refers to, made when they are first asked for, and shared by all lessons that ask for the same.
#pragma once

#include "base/error.h"
#include "kernels/catalogue/command_text.h"
#include "lessons/text/lesson.h"
#include "tracer/replay/replay.h"
#include "tracer/runtime/runtime.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

struct Document;
struct Finding;

/// A traced run.
class LessonRun {
 public:
  LessonRun(Request request, Plan plan, std::shared_ptr<const TraceSource> trace);
  ~LessonRun();

  const Request& request() const { return request_; }
  const std::shared_ptr<const TraceSource>& trace() const { return trace_; }
  const TraceInfo& info() const { return trace_->info(); }
  Replay& replay() { return replay_; }
  /// The trace as views see it.
  Document& document();
  /// What the checks find; they run once.
  const std::vector<Finding>& findings();
  /// ‖out − ref‖ / ‖ref‖ against the double-precision reference. Throws Error (usage) where the plan promises nothing.
  double relative_error();

 private:
  Request request_;
  Plan plan_;
  std::shared_ptr<const TraceSource> trace_;
  Replay replay_;
  std::shared_ptr<const std::vector<Finding>> findings_;
  std::unique_ptr<Document> document_;
};

/// A lesson's runs are small: elements of all buffers, and operations.
inline constexpr std::uint64_t max_lesson_elements = 1 << 18, max_lesson_steps = 1 << 18;
/// Of a kept trace, whose buffers are as large as a program made them.
inline constexpr std::uint64_t max_kept_elements = 1 << 20;

/// The command that a reader types after `twiddle view`; files of the course are named from its own folder on, the same on
/// every machine.
std::string shown_command(Request request);

class LessonRuns {
 public:
  /// Traces go to `folder`, which must outlive this. The device is opened when the first run is asked for.
  LessonRuns(std::filesystem::path folder, std::string runtime, int device);
  ~LessonRuns();

  /// Throws Error: what was wrong with the request, the kernel or the device.
  LessonRun& run(const Request& request);

 private:
  std::unique_ptr<LessonRun> traced(const Request& request);

  std::filesystem::path folder_;
  std::string runtime_name_;
  int device_;
  std::unique_ptr<Runtime> runtime_;
  std::map<std::string, std::unique_ptr<LessonRun>> runs_;
};

/// Does what may fail for something in a lesson's file: Errors become Error (unreadable) with file and line, but for
/// no_device.
template <typename Action>
auto at_line(const Lesson& lesson, int line, const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (error.code() == ExitCode::no_device) throw;
    throw unreadable("{}:{}: {}", lesson.file.string(), line, error.message());
  }
}

}  // namespace twiddle
