// Running again from the window: what can be chosen, and the run itself, off the drawing thread.
#pragma once

#include "tracer/runtime/runtime.h"
#include "viewer/facts/live_signal.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/input/sketch.h"
#include "viewer/session/window_options.h"
#include "viewer/state/choice_fields.h"
#include "viewer/state/start_page.h"

#include <atomic>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

class Rerun {
 public:
  struct Job {
    Request request;
    std::string runtime;
    int device = 0;
    std::vector<Message> notes{};  // what was changed of what was asked for
    bool beside = false;
    bool edited = false;             // it was started for what was edited
    std::filesystem::path origin{};  // the trace that was opened from elsewhere, and began what its runs are
  };
  /// `wake` is called from the running thread whenever there is something new to show.
  Rerun(const WindowOptions& options, std::function<void()> wake);
  ~Rerun();
  Rerun(const Rerun&) = delete;
  Rerun& operator=(const Rerun&) = delete;

  bool possible() const { return static_cast<bool>(run_); }
  bool running() const { return thread_.valid(); }

  /// The trace's own fields, with what each can be changed to.
  std::vector<ChoiceField> fields(const TraceInfo& info);
  /// Takes an entry of a field, by its id, into the request and runs it.
  /// An algorithm that does not take the size is given the nearest that it does; the outcome's notes say so. Throws Error
  /// (usage) where the entry can be no value of the field.
  void choose(const std::string& field, const std::string& entry);
  /// What is shown was made from this now.
  void show(const Request& request) { made_.request = request; }
  /// The same of a trace that was opened, whose kernels are someone else's.
  void show_opened(const Request& request, const std::filesystem::path& origin) {
    made_.request = request;
    made_.origin = origin;
  }
  const Request& made_from() const { return made_.request; }
  const Job& job() const { return made_; }
  void restore(const Job& job) { made_ = job; }
  void start();
  /// The same run of another algorithm, to be shown beside this one.
  void start_beside(const std::string& algorithm);
  /// The same run with another text of one of its files, beside this one.
  void start_beside(const std::string& file, std::string text);
  /// Traces a plan file.
  void run_plan(const std::filesystem::path& file);
  /// The same run of kernels that were edited; what is not as in `before` comes with the outcome.
  void start_edited(SourceEdits edits, std::shared_ptr<const TraceSource> before);
  /// The same because a file has changed, without edits: what is not as in `before` comes with the outcome.
  void start_after(std::shared_ptr<const TraceSource> before);
  void cancel() { cancelled_ = true; }

  /// How far the run under way is, 0 … 1.
  float fraction() const { return fraction_; }

  struct Outcome {
    std::shared_ptr<const TraceSource> trace;
    std::vector<Message> notes;  // of the run
    std::vector<TraceNote> changes;
    std::shared_ptr<const Changes> changed;  // the same as elements and steps; null: not compared
    Message error;
    bool cancelled = false;
    bool beside = false;  // it does not take the place of what is shown
    bool edited = false;  // of kernels that were edited
  };
  /// Its outcome, once, when it has ended.
  std::optional<Outcome> take();
  /// What can run here, as far as it is known by now, and what cannot, with why.
  std::vector<DeviceLine> devices() const;
  /// The list of devices has come in since the last call: fields() has more to offer.
  bool devices_arrived();

 private:
  WindowOptions::Run run_;
  std::function<void()> wake_;
  Job made_, running_;  // what the shown trace was made from; what is being run
  std::future<DeviceList> device_list_;
  std::vector<DeviceInfo> devices_;
  std::vector<std::string> missing_;
  std::future<Outcome> thread_;
  std::shared_ptr<const TraceSource> before_;  // what the run is compared with; null: nothing
  std::atomic<bool> cancelled_ = false;
  std::atomic<float> fraction_ = 0;

  void run(Job job);
};

/// The request that a trace was made from, as far as it says: nothing of one that is not of the catalogue.
std::optional<Request> request_of(const TraceInfo& info);
/// The same request, with the nearest size that its algorithm takes where it does not take this one; `note` says so then.
Request fitted(Request request, Message& note);

}  // namespace twiddle
