#include "viewer/session/window_content.h"

#include "base/error.h"
#include "base/message.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "kernels/signal/signal.h"
#include "viewer/facts/differences.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/state/guide.h"
#include "viewer/state/open_entries.h"

#include <fstream>
#include <memory>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr double files_seconds = 0.25;  // between two looks at the watched files

}  // namespace

WindowContent::WindowContent(const WindowOptions& options, WindowControl& control, Remembered& remembered,
                             std::function<void()> wake, std::function<void(const std::string&)> titled)
    : options_(options),
      control_(control),
      remembered_(remembered),
      titled_(std::move(titled)),
      rerun_(options, wake),
      watch_(options.watched),
      traces_(control, wake),
      dialog_(wake) {}

void WindowContent::add_actions(WindowActions& actions) {
  actions.turn_page = [this](int by) {
    if (options_.guide && options_.guide->page(by)) follow_guide();
  };
  actions.guide = [this](const Mark& mark) {
    if (options_.guide && options_.guide->click(mark)) follow_guide();
  };
  if (options_.run) {
    actions.run_again = [this] { rerun_.start(); };
    actions.run_drawn = [this](const std::string& csv) { run_drawn(csv); };
  }
  actions.open = [this](const std::string& file) { open_file(file); };
  actions.openable = [this](const std::string& folder) { return open_entries(remembered_.files, folder); };
  if (FileDialog::possible())
    actions.dialog = [this] { dialog_.open(tr("Open a trace"), control_.state().open_list.folder); };
  actions.choose = [this](const std::string& field, const std::string& entry) { rerun_.choose(field, entry); };
}

void WindowContent::begin(Document& document) {
  control_.state().can_run = rerun_.possible();
  control_.state().fields = rerun_.fields(document.info());
  control_.state().guide = options_.guide;
  if (options_.guide) {
    follow_guide();
    if (!options_.view.empty()) control_.state().tab = options_.view;  // until the page is turned
  }
  search_.emplace(control_.document().trace);
  if (options_.beside) traces_.compare(document, *options_.beside);
}

/// Another trace is shown.
void WindowContent::shown() {
  search_.emplace(control_.document().trace);
  refresh_fields();
}

/// A trace, or, where something can be run, a plan, or a signal for what runs. Throws Error.
void WindowContent::open_file(const fs::path& file) {
  if (file.extension() == ".toml") {
    if (!rerun_.possible()) throw usage_error("{0} is a plan: twiddle view {0} traces it and shows it", file.string());
    rerun_.run_plan(file);
    return;
  }
  if (names_signal_file(file)) {
    if (!control_.state().can_run)
      throw usage_error("{0} is a signal: twiddle view ALGORITHM --signal {0} runs something on it", file.string());
    rerun_.choose("signal", file.string());
    return;
  }
  traces_.open(file);
  control_.state().can_run = false;
  remembered_.opened(file);
  write_remembered(config_directory(), remembered_);
  titled_(file.filename().string());
  shown();
}

void WindowContent::dropped(const std::vector<fs::path>& files) {
  if (files.empty()) return;
  control_.state().message.clear();
  control_.open(files[0].string());
  if (files.size() < 2 || !control_.state().message.empty()) return;
  try {
    traces_.open_beside(files[1]);
    if (files.size() > 2)
      control_.state().message = tr("{} files were dropped: the first two are shown side by side.", files.size());
  } catch (const Error& error) { control_.state().message = error.message().translated(); }
  control_.touch();
}

void WindowContent::cancel_run() {
  if (rerun_.running()) rerun_.cancel();
}

void WindowContent::language_changed(Language language) {
  if (options_.guide && options_.guide->use_language(language)) follow_guide();
  refresh_fields();
}

// The signal is written to a file, so that the run can be repeated from the command line.
void WindowContent::run_drawn(const std::string& csv) {
  try {
    if (!drawn_) drawn_.emplace(ExitCode::unreadable, "the signal cannot be kept");
    const fs::path file = drawn_->path() / ("drawn-" + std::to_string(++drawn_count_) + ".csv");
    if (!(std::ofstream(file, std::ios::binary) << csv).flush())
      throw unreadable("the signal cannot be kept: {} cannot be written", file.string());
    rerun_.choose("signal", file.string());
  } catch (const Error& error) { control_.state().message = error.message().translated(); }
}

double WindowContent::poll_seconds() const {
  if (busy()) return 0.1;
  return watch_.watching() ? files_seconds : Traces::poll_seconds;
}

void WindowContent::poll() {
  if (traces_.poll()) shown();
  if (const std::optional<FileDialog::Outcome> chosen = dialog_.take()) {
    if (!chosen->error.empty())
      control_.state().message = chosen->error;
    else if (!chosen->file.empty())
      control_.open(chosen->file.string());
    control_.touch();
  }
  if (rerun_.devices_arrived()) refresh_fields();
  if (search_->running()) add_findings();
  poll_files();
  follow_run();
}

void WindowContent::follow_run() {
  WindowState& state = control_.state();
  if (rerun_.running()) {
    if (const float fraction = rerun_.fraction(); std::exchange(state.run_fraction, fraction) != fraction)
      control_.touch();
  }
  const std::optional<Rerun::Outcome> outcome = rerun_.take();
  if (!outcome) return;
  state.run_fraction = -1;
  state.problems.clear();
  state.edited.clear();
  if (!outcome->error.empty()) {
    state.message = outcome->error.translated();
    show_problems(outcome->error.english());
  } else if (outcome->cancelled) {
    state.message = tr("Cancelled: this is still the trace from before.");
  } else if (outcome->trace) {
    try {
      auto fresh = std::make_unique<Document>(outcome->trace);
      // What is not as in the run before joins the notes: marks on the scrub bar, a list, and N goes from one to the next.
      add_notes(*fresh, outcome->changes);
      traces_.show(std::move(fresh));
      if (!outcome->changes.empty())
        state.message = text_of(outcome->changes.front());
      else if (!outcome->notes.empty())
        state.message = outcome->notes.front().translated();
      search_.emplace(control_.document().trace);
      state.can_run = rerun_.possible();
    } catch (const std::exception& error) { state.message = message_of(error).translated(); }
  }
  refresh_fields();
}

void WindowContent::poll_files() {
  if (!watch_.watching() || Clock::now() < next_look_) return;
  next_look_ = Clock::now() + std::chrono::milliseconds(static_cast<int>(files_seconds * 1000));
  if (watch_.changed()) file_changed_ = true;
  if (!file_changed_ || rerun_.running()) return;
  file_changed_ = false;
  rerun_.start_after(control_.document().trace);
}

// Compilers' errors go to their lines, in the files as they are now.
void WindowContent::show_problems(const std::string& error) {
  WindowState& state = control_.state();
  state.problems = source_problems(error);
  if (state.problems.empty() || !watch_.watching()) return;
  const SourceProblem& first = state.problems.front();
  state.message = tr("{}:{}: {}. This is still the trace from before.", first.source, first.line, first.text);
  for (const fs::path& file : options_.watched()) {
    constexpr std::uintmax_t max_source = 1 << 20;
    try {
      state.edited.push_back({file.filename().string(), read_file(file, max_source)});
    } catch (const Error&) {  // deleted or too large by now: then its lines are not shown
    }
  }
}

// Shows what the guide's page is about, when it was turned or asks for another view; after an answer the window stays where
// the question was asked. Its trace is small: made when the page is turned.
void WindowContent::follow_guide() {
  Guide& guide = *options_.guide;
  const Guide::Place place = guide.place();
  WindowState& state = control_.state();
  if (place.trace && (place.page != guide_page_ || place.view != guide_view_)) {
    if (control_.document().trace != place.trace) {
      auto fresh = std::make_unique<Document>(place.trace);
      fresh->findings_kept_back = place.secret;
      traces_.show(std::move(fresh));
      search_.emplace(control_.document().trace);
      rerun_.show(place.request);
    }
    control_.seek(place.step);
    state.tab = place.view;
    state.cursor.pinned = place.light;
    state.can_run = rerun_.possible() && place.unlocked;
  }
  if (control_.document().trace == place.trace) keep_findings_back(control_.document(), place.secret);
  if (place.page != guide_page_) state.scroll.erase("guide");
  guide_page_ = place.page;
  guide_view_ = place.view;
  if (const std::string complaint = guide.complaint(); !complaint.empty()) state.message = complaint;
  refresh_fields();
}

// The findings of a large trace, once the checks are through.
void WindowContent::add_findings() {
  const std::optional<std::vector<TraceNote>> found = search_->take();
  Document& document = control_.document();
  if (!found || found->empty() || document.findings_kept_back) return;
  const auto facts = std::make_shared<TraceFacts>(facts_of(document));
  add_notes(*facts, *found);
  document.facts = facts;
  // A note is known by its number, and there are others now.
  std::optional<Mark>& pinned = control_.state().cursor.pinned;
  if (pinned && pinned->kind == MarkKind::Finding) pinned.reset();
  control_.touch();
}

void WindowContent::refresh_fields() {
  const TraceInfo& info = control_.document().info();
  control_.state().fields = control_.state().can_run ? rerun_.fields(info) : trace_fields(info);
  control_.touch();
}

}  // namespace twiddle
