// The search for the change that makes a run right, started from the window: in processes of its own, with its progress, and
// what it found among the findings.
#pragma once

#include "tracer/repair/repair.h"
#include "viewer/control/window_control.h"
#include "viewer/session/rerun.h"
#include "viewer/session/window_options.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>

namespace twiddle {

class RepairSession {
 public:
  /// All but `wake`, which is called from another thread when there is something new, must outlive it.
  RepairSession(const WindowOptions& options, WindowControl& control, Rerun& rerun, std::function<void()> wake);
  ~RepairSession();
  RepairSession(const RepairSession&) = delete;
  RepairSession& operator=(const RepairSession&) = delete;

  /// Another trace is shown: a search of the one before ends, and whether this one can be searched is found out.
  void shown();
  /// Begins a search, or says why there is none.
  void search();
  void cancel() { stop_ = true; }
  bool running() const { return thread_.valid(); }
  /// Takes how far it is, or what it found.
  void poll();

 private:
  const WindowOptions& options_;
  WindowControl& control_;
  Rerun& rerun_;
  std::function<void()> wake_;
  std::future<Repaired> thread_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> tried_ = 0;

  void end();
  void take(const Repaired& repaired);
};

}  // namespace twiddle
