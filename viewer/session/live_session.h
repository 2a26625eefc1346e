// Samples that are dragged in the window: runs while they are in hand, the trace when they are let go, and the way back.
#pragma once

#include "viewer/control/window_control.h"
#include "viewer/live/live_run.h"
#include "viewer/session/rerun.h"
#include "viewer/session/traces.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

class LiveSession {
 public:
  /// All must outlive it. `write_signal` keeps a signal as a file and returns its name.
  LiveSession(WindowControl& control, Rerun& rerun, Traces& traces, std::function<void()> wake,
              std::function<std::string(const std::string& csv)> write_signal);

  void add_actions(WindowActions& actions);
  /// Another trace is shown, or can be run again no longer: whether its samples can be changed is found out anew.
  void shown();
  /// Takes what the live run has brought. True: another trace is shown.
  bool poll();
  bool busy() const { return run_ && run_->busy(); }
  /// The outcome of a run that a change of samples began: shown here. False: it is another's.
  bool take(const Rerun::Outcome& outcome);
  /// What Ctrl+Z goes back to.
  struct Past {
    std::shared_ptr<const TraceSource> trace;
    Request request;
    std::optional<LiveWave> wave;
  };
  bool has_past() const { return before_ || !pasts_.empty(); }
  void undo();
  /// Another run's, in place of this one's.
  std::vector<Past> exchange_pasts(std::vector<Past> other) { return std::exchange(pasts_, std::move(other)); }

 private:
  WindowControl& control_;
  Rerun& rerun_;
  Traces& traces_;
  std::function<void()> wake_;
  std::function<std::string(const std::string& csv)> write_signal_;
  std::unique_ptr<LiveRun> run_;
  std::string run_of_;                  // the request that run_ is for, as text
  std::optional<Past> before_;          // the samples in hand
  std::vector<Past> pasts_;             // what Ctrl+Z goes back to, the last first
  std::optional<LiveSamples> waiting_;  // let go while another run was under way
  bool tracing_ = false;                // the run under way is ours

  void run(const LiveSamples& samples, bool held);
  void trace(const LiveSamples& samples);
  void keep_sides();
  void forget();
  void show(std::shared_ptr<const TraceSource> trace, bool in_hand);
};

}  // namespace twiddle
