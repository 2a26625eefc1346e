// What a window shows, and its sources: files, runs, lessons, kernels that change on disk, and the checks.
#pragma once

#include "base/temporary_folder.h"
#include "base/values/clock.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/findings.h"
#include "viewer/session/file_dialog.h"
#include "viewer/session/file_watch.h"
#include "viewer/session/kernel_edits.h"
#include "viewer/session/live_session.h"
#include "viewer/session/repair_session.h"
#include "viewer/session/rerun.h"
#include "viewer/session/run_tabs.h"
#include "viewer/session/traces.h"
#include "viewer/session/window_options.h"
#include "viewer/sound/sound_player.h"
#include "viewer/state/remembered.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

class WindowContent {
 public:
  /// All but `wake` must outlive it. `wake` is called from other threads when they have finished something; `titled` with
  /// the name of a file that was opened.
  WindowContent(const WindowOptions& options, WindowControl& control, Remembered& remembered,
                std::function<void()> wake, std::function<void(const std::string&)> titled);

  ~WindowContent();
  WindowContent(const WindowContent&) = delete;
  WindowContent& operator=(const WindowContent&) = delete;

  /// Adds what the control asks for, all but what is the window's own.
  void add_actions(WindowActions& actions);
  /// The first document is shown: the guide's page, or the trace beside it.
  void begin(Document& document);

  /// Two files at once are shown side by side.
  void dropped(const std::vector<std::filesystem::path>& files);
  void cancel_run();
  bool running() const { return rerun_.running() || repair_.running(); }
  /// The window is asked to close: true where it may. The first time that edits are in no file the window says so instead.
  bool may_close();
  /// Fetches all text again, after the language has changed.
  void language_changed(Language language);

  /// Takes what other threads and programs have finished.
  void poll();
  /// Whether another thread is still working.
  bool busy() const {
    return rerun_.running() || search_->running() || repair_.running() || dialog_.running() || cards_.valid() ||
           saving_.valid() || live_.busy() || traces_.comparing();
  }
  /// Seconds after which to poll, though nothing happens in the window.
  double poll_seconds() const;
  /// What the window is called: the file's name, or what runs.
  std::string title() const;

 private:
  const WindowOptions& options_;
  WindowControl& control_;
  Remembered& remembered_;
  std::function<void(const std::string&)> titled_;
  Rerun rerun_;
  FileWatch watch_;
  Clock::time_point next_look_ = Clock::now();
  bool file_changed_ = false;
  std::optional<FindingsSearch> search_;
  Traces traces_;
  LiveSession live_;
  RepairSession repair_;
  KernelEdits edits_;
  RunTabs tabs_;
  std::string warned_of_;  // for what edits that are in no file were to be dropped, and which
  FileDialog dialog_;
  SoundPlayer player_;
  std::optional<TemporaryFolder> drawn_;  // signals drawn by hand, as files; gone with the window
  int drawn_count_ = 0;
  std::string guide_page_, guide_view_;
  Guide* guide_ = nullptr;        // what leads through traces; null: nothing does
  Guide* left_ = nullptr;         // the lesson whose run is shown by itself, or was
  std::filesystem::path to_run_;  // a plan, or a trace whose kernel was edited, that the user is asked about
  bool edited_to_run_ = false;    // what is run then is what was edited
  std::function<void()> wake_;
  std::future<std::vector<std::shared_ptr<const TraceSource>>> cards_;  // the start page's runs
  std::future<Message> saving_;                                         // what became of it
  std::atomic<bool> stop_ = false;

  void shown();
  void open_file(const std::filesystem::path& file);
  void show_roofline(const std::filesystem::path& file);
  void show_kept_roofline();
  std::string keep_drawn(const std::string& csv);
  void run_drawn(const std::string& csv);
  void samples_are_others();
  void follow_guide();
  void click_guide(const Mark& mark);
  void follow_run();
  void poll_files();
  void show_problems(const std::string& error, bool edited);
  void search_findings();
  void add_findings();
  void refresh_fields();
  void follow_sources();
  bool is_one_of_ranks() const;
  void open_lesson(const std::string& id);
  void leave_guide();
  void show_without_lesson();
  void back_to_lesson();
  bool may_drop_for_lesson();
  void begin_guide(Guide* guide);
  /// The edits that no file has, one after the other.
  std::string unsaved_edits() const;
  /// Whether `unsaved` may be dropped `by` something: it says the sentence first, and may when it is asked once more.
  bool may_drop(const std::string& by, const std::string& unsaved, const std::string& sentence);
  void list_lessons();
  void prepare_start();
  void follow_cards();
  void run_plan(const std::filesystem::path& file);
  void run_edited();
  void start_edited();
  bool may_run_here();
  void save_kernel(const std::string& source, const std::string& file);
  void another_run_shown();
  std::filesystem::path from_elsewhere() const;
  std::string content_of(const std::filesystem::path& plan) const;
  void copy_picture(const Scene& scene);
  void save(const std::string& what, const std::filesystem::path& file);
  void follow_saving();
};

}  // namespace twiddle
