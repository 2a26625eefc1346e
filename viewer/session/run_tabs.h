// The runs of a window, kept as tabs: each with its trace, what it was made from, and the signals that were dragged in it.
#pragma once

#include "viewer/session/live_session.h"
#include "viewer/session/rerun.h"
#include "viewer/session/traces.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

/// Whether what is zoomed and pinned in one trace means the same in the other.
bool same_shape(const TraceInfo& a, const TraceInfo& b);

class RunTabs {
 public:
  /// At most so many runs are kept; the oldest that is not shown is closed then, and the window says so.
  static constexpr std::size_t max_runs = 8;
  static constexpr std::size_t max_shown_before = 64;  // that undo goes back through

  /// All must outlive it. `shown` is called when another run of the list is shown.
  RunTabs(WindowControl& control, Rerun& rerun, Traces& traces, LiveSession& live, std::function<void()> shown);

  void add_actions(WindowActions& actions);
  /// What is shown now is the first run, and the others are forgotten. `kept`: false where runs are no tabs, as in a lesson.
  void begin(bool kept = true, const std::string& name = {});
  /// A run has ended and is shown now, or a file was opened (`name`), beside what was there before. The name of a run that was
  /// closed for it; empty: none was.
  std::string add(const std::string& name = {});
  /// The run that is shown has another trace now: its samples were dragged, or put back.
  void follow();
  /// What Ctrl+Z goes back to, after the samples that were dragged. False: nothing was shown before.
  bool undo();
  /// The edits of runs that no file has, one after the other; `saved`: texts that were written.
  std::string unsaved(const std::vector<std::string>& saved) const;
  /// Of one run alone: what is lost when it is closed. A text that another run has, too, is not.
  std::string unsaved(const std::vector<std::string>& saved, std::size_t run) const;

 private:
  struct Run {
    std::size_t id = 0;
    std::string name;
    std::shared_ptr<const TraceSource> trace;
    Rerun::Job job;
    bool can_run = false;
    std::vector<LiveSession::Past> pasts;  // of its samples, while it is not shown
  };

  WindowControl& control_;
  Rerun& rerun_;
  Traces& traces_;
  LiveSession& live_;
  std::function<void()> shown_;
  std::vector<Run> runs_;
  std::size_t at_ = 0;               // the one that is shown
  std::size_t made_ = 0;             // runs that were counted
  std::vector<std::size_t> before_;  // ids, in the order in which they were shown
  bool kept_ = true;
  std::vector<std::string> dropped_;  // edited texts of runs that were closed to make room

  Run now(const std::string& name);
  void leave();
  void drop(const Run& run);
  void show(std::size_t run, bool counts = true);
  void close(std::size_t run);
  void compare(std::size_t left, std::size_t right);
  void publish();
};

}  // namespace twiddle
