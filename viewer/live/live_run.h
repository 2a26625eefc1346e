// A plan that runs again and again on the host executor, each time with other samples: what answers while one is dragged.
#pragma once

#include "base/temporary_folder.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/runtime/runtime.h"
#include "tracer/trace/trace_source.h"

#include <complex>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace twiddle {

using LiveSamples = std::vector<std::complex<double>>;

/// Samples as a file that a signal can come from, a line each, re,im: read back, they are the same numbers.
std::string samples_csv(const LiveSamples& samples);

/// The elements of a buffer of the plan, by its name, out of what all of them hold; none where it has no such buffer.
std::vector<std::complex<double>> numbers_in(const Plan& plan, const std::vector<std::vector<std::byte>>& buffers,
                                             const std::string& name);

class LivePlan {
 public:
  /// The request's plan, whose input is the buffer of this name. Throws Error (usage) where that buffer does not take the
  /// plan's signal, and no_device without a compiler.
  LivePlan(const Request& request, const std::string& input);

  /// Runs it and logs every operation. Throws Error as trace_plan does.
  std::shared_ptr<const TraceSource> trace(const LiveSamples& samples);
  /// Runs it without a log: every buffer's content at the end.
  std::vector<std::vector<std::byte>> result(const LiveSamples& samples);
  const Plan& plan() const { return plan_; }

 private:
  void take(const LiveSamples& samples);

  Plan plan_;
  std::unique_ptr<Runtime> runtime_;
  TemporaryFolder folder_;
};

/// Runs a LivePlan on a thread of its own. What is asked while it runs waits, and only the latest of that is run.
class LiveRun {
 public:
  /// `wake` is called from the running thread when there is an answer.
  LiveRun(Request request, std::string input, std::function<void()> wake);
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  /// `logged`: every operation, else the result alone.
  void ask(LiveSamples samples, bool logged);
  struct Answer {
    LiveSamples samples;
    std::shared_ptr<const TraceSource> trace;  // of a logged run
    std::vector<std::complex<double>> result;  // of one that was not: the expected output's elements
    Message error;                             // why there is neither
  };
  /// The latest answer, once.
  std::optional<Answer> take();
  bool busy() const;

 private:
  struct Question {
    LiveSamples samples;
    bool logged = false;
  };
  void work(const Request& request, const std::string& input);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable asked_;
  std::optional<Question> question_;
  std::optional<Answer> answer_;
  bool running_ = false, ending_ = false;
  std::thread thread_;
};

}  // namespace twiddle
