#include "viewer/session/window_content.h"

#include "base/error.h"
#include "base/message.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/values/environment.h"
#include "base/write_file.h"
#include "kernels/catalogue/command_text.h"
#include "kernels/signal/signal.h"
#include "tracer/bench/bench_history.h"
#include "tracer/file/trace_file.h"
#include "viewer/compare/differences.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/render/render.h"
#include "viewer/session/ranks.h"
#include "viewer/state/guide.h"
#include "viewer/state/open_entries.h"
#include "viewer/views/view.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
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
      traces_(control),
      live_(control, rerun_, traces_, wake, [this](const std::string& csv) { return keep_drawn(csv); }),
      repair_(options, control, rerun_, wake),
      tabs_(control, rerun_, traces_, live_, [this] { another_run_shown(); }),
      dialog_(wake),
      guide_(options.guide),
      wake_(wake) {}

WindowContent::~WindowContent() {
  stop_ = true;
  if (cards_.valid()) cards_.wait();
  if (saving_.valid()) saving_.wait();
}

void WindowContent::add_actions(WindowActions& actions) {
  actions.turn_page = [this](int by) {
    if (guide_ && guide_->page(by)) follow_guide();
  };
  actions.guide = [this](const Mark& mark) {
    if (guide_) click_guide(mark);
  };
  actions.guide_typed = [this](const std::string& text) {
    if (!guide_) return;
    guide_->typed(text);
    follow_guide();
  };
  if (options_.run) {
    actions.twin = [this](const std::string& id) { rerun_.start_beside(id); };
    actions.run_again = [this] {
      // A plan that was opened from elsewhere is run only with the user's consent.
      const fs::path plan = rerun_.made_from().algorithm;
      if (plan.extension() == ".toml" && plan != options_.request.algorithm)
        run_plan(plan);
      else
        rerun_.start();
    };
    actions.run_drawn = [this](const std::string& csv) { run_drawn(csv); };
    live_.add_actions(actions);
    actions.run_live = [this, run = actions.run_live](const std::vector<std::complex<double>>& samples, bool held) {
      samples_are_others();
      run(samples, held);
    };
    tabs_.add_actions(actions);
    actions.close_run = [this, close = actions.close_run](std::size_t run) {
      const std::string sentence = tr(
          "What was edited in this run is in no file yet: Ctrl Shift S saves the kernel. Closing once more drops it.");
      if (may_drop("run " + std::to_string(run), tabs_.unsaved(edits_.saved(), run), sentence)) close(run);
    };
    actions.undo = [this] {
      if (!live_.has_past() && tabs_.undo()) return;
      control_.state().frames.reset();
      live_.undo();
      samples_are_others();
      search_findings();
      refresh_fields();
      tabs_.follow();
    };
    actions.run_edited = [this] { run_edited(); };
    actions.run_beside = [this](const std::string& file, const std::string& text) {
      if (may_run_here()) rerun_.start_beside(file, text);
    };
    if (options_.repair)
      actions.search_repair = [this] {
        if (repair_.running())
          repair_.cancel();
        else if (may_run_here())
          repair_.search();
      };
    actions.own_kernel = [this](const std::string& source) {
      return edits_.own_file(rerun_.made_from(), source).has_value();
    };
    actions.save_kernel = [this](const std::string& source, const std::string& file) { save_kernel(source, file); };
  }
  actions.open = [this](const std::string& file) { open_file(file); };
  actions.openable = [this](const std::string& folder) { return open_entries(remembered_.files, folder); };
  if (FileDialog::possible())
    actions.dialog = [this] { dialog_.open(tr("Open a trace"), control_.state().open_list.folder); };
  actions.choose = [this](const std::string& field, const std::string& entry) {
    if (field == "rank") {
      try {
        show_rank(options_.ranks, entry, control_, traces_);
        titled_(control_.document().trace->path().filename().string());
        shown();
        tabs_.follow();
      } catch (const Error& error) { control_.state().message = error.message().translated(); }
      return;
    }
    if (!rerun_.possible()) throw usage_error("Nothing can be run from here.");
    // In a lesson that asks for it, it is the lesson's own run that changes.
    if (field == "algorithm" && !control_.state().can_run) leave_guide();
    rerun_.choose(field, entry);
    if (field == "signal") samples_are_others();
  };
  if (options_.lesson) actions.lesson = [this](const std::string& id) { open_lesson(id); };
  actions.leave_lesson = [this] { guide_ ? show_without_lesson() : back_to_lesson(); };
  if (options_.save) actions.save = [this](const std::string& what, const std::string& file) { save(what, file); };
  actions.copy_picture = [this](const Scene& scene) { copy_picture(scene); };
  actions.play = [this](Sound sound) { player_.play(std::move(sound)); };
  actions.stop_sound = [this] { player_.stop(); };
  actions.sound = [this] { return player_.now(); };
  actions.start_shown = [this] { prepare_start(); };
  actions.show_roofline = [this] { show_kept_roofline(); };
  actions.agreed_to_run = [this] {
    remembered_.agreed[to_run_.string()] = content_of(to_run_);
    write_remembered(config_directory(), remembered_);
    if (std::exchange(edited_to_run_, false))
      start_edited();
    else
      rerun_.run_plan(to_run_);
  };
}

void WindowContent::begin(Document& document) {
  Request request = options_.request;
  const bool opened = request.algorithm.empty();
  if (opened) request = request_of(document.info()).value_or(Request{});
  rerun_.show_opened(request, opened ? document.trace->path() : fs::path());
  control_.state().can_run = rerun_.possible() && !options_.beside && !request.algorithm.empty();
  control_.state().guide = guide_;
  control_.state().subject = options_.subject;
  list_lessons();
  if (options_.start) control_.open_start();
  if (guide_) {
    follow_guide();
    if (!options_.view.empty()) control_.state().tab = options_.view;  // until the page is turned
  }
  search_findings();
  live_.shown();
  if (options_.beside) traces_.compare(document, *options_.beside);
  control_.fit_step_by();
  tabs_.begin(!guide_ && !options_.beside);
  refresh_fields();
}

void WindowContent::search_findings() {
  search_.emplace(control_.document().trace);
  repair_.shown();
}

/// Another trace is shown.
void WindowContent::shown() {
  search_findings();
  live_.shown();
  follow_sources();
  refresh_fields();
}

/// A tab was chosen, or Ctrl+Z led back to it.
void WindowContent::another_run_shown() {
  const Request& request = rerun_.made_from();
  control_.state().subject = request.algorithm.empty() ? std::string() : command_of(request);
  titled_(request.algorithm.empty() ? control_.document().trace->path().filename().string() : title());
  shown();
}

/// A trace, or, where something can be run, a plan, or a signal for what runs. Throws Error.
void WindowContent::open_file(const fs::path& file) {
  if (file.extension() == ".toml") {
    if (!rerun_.possible()) throw usage_error("{0} is a plan: twiddle view {0} traces it and shows it", file.string());
    run_plan(file);
    return;
  }
  if (is_bench_file(file)) return show_roofline(file);
  if (names_signal_file(file)) {
    if (!control_.state().can_run)
      throw usage_error("{0} is a signal: twiddle view ALGORITHM --signal {0} runs something on it", file.string());
    rerun_.choose("signal", file.string());
    return;
  }
  traces_.open(file);
  leave_guide();
  control_.state().start.open = false;
  // Its algorithm can be run again, with this program's own kernels: nothing in the file runs.
  Request request;
  if (const auto made_from = request_of(control_.document().info())) request = *made_from;
  rerun_.show_opened(request, file);
  control_.state().can_run = rerun_.possible() && !request.algorithm.empty();
  control_.state().subject.clear();
  remembered_.opened(file);
  write_remembered(config_directory(), remembered_);
  titled_(file.filename().string());
  control_.state().frames.reset();
  shown();
  if (const std::string closed = tabs_.add(file.stem().string()); !closed.empty())
    control_.state().message = tr("{} runs are kept: {} is closed.", RunTabs::max_runs, closed);
}

/// What a bench measured, on a card over the window. Throws Error.
void WindowContent::show_roofline(const fs::path& file) {
  auto bench = std::make_shared<const KernelBench>(read_bench_csv(read_file(file, max_bench_csv)));
  if (bench->tables.empty()) throw usage_error("{}: nothing was measured", file.string());
  control_.state().settings = control_.state().help = false;
  control_.state().roofline = std::move(bench);
  control_.state().roofline_table = 0;
  control_.touch();
}

/// The history that comes with the program; its first device's.
void WindowContent::show_kept_roofline() {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(resource("docs/benchmarks"), failed), end; !failed && at != end; at.increment(failed))
    if (at->path().extension() == ".csv") files.push_back(at->path());
  std::sort(files.begin(), files.end());
  try {
    if (files.empty())
      throw usage_error("No measurements are kept here. Open what twiddle bench kernels --csv printed.");
    show_roofline(files.front());
  } catch (const Error& error) {
    control_.state().message = error.message().translated();
    control_.touch();
  }
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
  if (repair_.running()) repair_.cancel();
  if (rerun_.running()) rerun_.cancel();
}

void WindowContent::language_changed(Language language) {
  if (guide_ && guide_->use_language(language)) follow_guide();
  list_lessons();
  tabs_.follow();
  refresh_fields();
}

// The signal is written to a file, so that the run can be repeated from the command line.
std::string WindowContent::keep_drawn(const std::string& csv) {
  if (!drawn_) drawn_.emplace(ExitCode::unreadable, "the signal cannot be kept");
  const fs::path file = drawn_->path() / ("drawn-" + std::to_string(++drawn_count_) + ".csv");
  if (try_write_file(file, csv)) throw unreadable("the signal cannot be kept: {} cannot be written", file.string());
  return file.string();
}

/// What a lesson said of the samples before holds no more.
void WindowContent::samples_are_others() {
  if (guide_ && guide_->samples_changed()) control_.touch();
}

void WindowContent::run_drawn(const std::string& csv) {
  try {
    rerun_.choose("signal", keep_drawn(csv));
    samples_are_others();
  } catch (const Error& error) { control_.state().message = error.message().translated(); }
}

double WindowContent::poll_seconds() const {
  if (busy()) return 0.1;
  return watch_.watching() ? files_seconds : Traces::poll_seconds;
}

void WindowContent::poll() {
  if (traces_.poll()) {
    control_.state().frames.reset();
    shown();
    tabs_.follow();
  }
  if (const std::optional<FileDialog::Outcome> chosen = dialog_.take()) {
    if (!chosen->error.empty())
      control_.state().message = chosen->error;
    else if (!chosen->file.empty())
      control_.open(chosen->file.string());
    control_.touch();
  }
  if (rerun_.devices_arrived()) {
    control_.state().start.devices = rerun_.devices();
    refresh_fields();
  }
  if (live_.poll()) {
    control_.state().frames.reset();
    refresh_fields();
  }
  if (search_->running()) add_findings();
  repair_.poll();
  poll_files();
  follow_run();
  follow_cards();
  follow_saving();
}

void WindowContent::follow_run() {
  WindowState& state = control_.state();
  if (rerun_.running()) {
    if (const float fraction = rerun_.fraction(); std::exchange(state.run_fraction, fraction) != fraction)
      control_.touch();
  }
  const std::optional<Rerun::Outcome> outcome = rerun_.take();
  if (!outcome) return;
  if (live_.take(*outcome)) {
    control_.state().frames.reset();
    follow_sources();
    tabs_.follow();
    search_findings();
    refresh_fields();
    return;
  }
  state.run_fraction = -1;
  state.problems.clear();
  state.edited.clear();
  if (!outcome->error.empty()) {
    state.message = outcome->error.translated();
    show_problems(outcome->error.english(), outcome->edited);
  } else if (outcome->cancelled) {
    state.message = tr("Cancelled: this is still the trace from before.");
  } else if (outcome->trace && outcome->beside) {
    traces_.show_beside(std::make_unique<Document>(outcome->trace));
  } else if (outcome->trace) {
    try {
      auto fresh = std::make_unique<Document>(outcome->trace);
      // What is not as in the run before joins the notes: marks on the scrub bar, a list, and N goes from one to the next.
      add_notes(*fresh, outcome->changes);
      // What is zoomed and pinned stays where it means the same.
      if (outcome->edited && same_shape(fresh->info(), control_.document().info()))
        traces_.replace(std::move(fresh));
      else
        traces_.show(std::move(fresh));
      state.frames = outcome->changed;
      if (!outcome->changes.empty())
        state.message = text_of(outcome->changes.front());
      else if (!outcome->notes.empty())
        state.message = outcome->notes.front().translated();
      else if (outcome->edited)
        state.message = tr("Nothing differs from the run before, operation by operation.");
      // The view goes to the first that differs.
      if (outcome->edited && !outcome->changes.empty() && outcome->changes.front().step > 0)
        control_.seek(outcome->changes.front().step);
      state.can_run = rerun_.possible();
      search_findings();
      state.subject = command_of(rerun_.made_from());
      titled_(title());
      live_.shown();
      follow_sources();
      if (const std::string closed = tabs_.add(); !closed.empty())
        state.message +=
            (state.message.empty() ? "" : " ") + tr("{} runs are kept: {} is closed.", RunTabs::max_runs, closed);
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
void WindowContent::show_problems(const std::string& error, bool edited) {
  WindowState& state = control_.state();
  state.problems = source_problems(error);
  if (state.problems.empty() || !(edited || watch_.watching())) return;
  const SourceProblem& first = state.problems.front();
  state.message = tr("{}:{}: {}. This is still the trace from before.", first.source, first.line, first.text);
  if (edited) {
    for (const auto& [name, draft] : state.editor.drafts) state.edited.push_back({name, draft.area.text()});
    control_.show_problems();
    return;
  }
  for (const fs::path& file : options_.watched()) {
    constexpr std::uintmax_t max_source = 1 << 20;
    try {
      state.edited.push_back({file.filename().string(), read_file(file, max_source)});
    } catch (const Error&) {  // deleted or too large by now: then its lines are not shown
    }
  }
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

/// The editor's texts are compared with those that ran in what is shown, and it knows where these came from.
void WindowContent::follow_sources() {
  control_.state().editor.origin = from_elsewhere().string();
  control_.state().editor.follow(control_.document().info());
}

void WindowContent::refresh_fields() {
  control_.state().editor.origin = from_elsewhere().string();
  const TraceInfo& info = control_.document().info();
  // An opened trace of someone's own kernels has fields, too: another algorithm can be chosen.
  const bool fields = rerun_.possible() && !control_.state().beside && (control_.state().can_run || !guide_);
  control_.state().fields = fields ? rerun_.fields(info) : trace_fields(info);
  // A file of ours says nothing to the user.
  if (fs::path(info.signal).filename().string().starts_with("drawn-"))
    for (ChoiceField& field : control_.state().fields)
      if (field.name == "signal") field.value = tr("drawn");
  if (is_one_of_ranks()) {
    std::vector<ChoiceField>& shown = control_.state().fields;
    shown.insert(shown.begin() + !shown.empty(), rank_field(options_.ranks, info));
  }
  control_.touch();
}

// Another trace may have been opened in their place.
bool WindowContent::is_one_of_ranks() const {
  return std::any_of(options_.ranks.begin(), options_.ranks.end(),
                     [&](const RankTrace& one) { return one.file == control_.document().trace->path(); });
}

std::string WindowContent::title() const {
  const std::string& algorithm = rerun_.made_from().algorithm;
  return algorithm.empty() ? std::string("Twiddle") : fs::path(algorithm).filename().string() + " · Twiddle";
}

// ---- Sharing ----

/// Puts a picture on the clipboard by a program that can, for GLFW can only put text there; else writes it to a file.
void WindowContent::copy_picture(const Scene& scene) {
  WindowState& state = control_.state();
  try {
    const std::vector<std::byte> png = to_png(scene, theme(state.theme), static_cast<int>(2 * scene.width));
    if (!drawn_) drawn_.emplace(ExitCode::unreadable, "the picture cannot be kept");
    const fs::path kept = drawn_->path() / "picture.png";
    const auto write = [&](const fs::path& file) {
      if (try_write_file(file, png))
        throw unreadable("the picture cannot be kept: {} cannot be written", file.string());
    };
    write(kept);
    const bool wayland = !environment("WAYLAND_DISPLAY").empty() && !find_program("wl-copy").empty();
    std::vector<std::string> command;
    if (wayland)
      command = {"sh", "-c", "exec wl-copy --type image/png <\"$1\"", "copy", kept.string()};
    else if (!find_program("xclip").empty())
      command = {"sh", "-c", "exec xclip -selection clipboard -t image/png -i \"$1\" >/dev/null 2>&1", "copy",
                 kept.string()};
    constexpr double patience = 5;
    if (!command.empty() && run_process(command, patience).status == 0) {
      state.message = tr("Copied: the diagram as a picture.");
      return;
    }
    std::error_code failed;
    fs::path file = fs::absolute("twiddle.png", failed);
    for (int i = 2; fs::exists(file, failed) && i < 1000; ++i)
      file = fs::absolute(fmt::format("twiddle-{}.png", i), failed);
    write(file);
    state.message =
        tr("Saved as {}: no program here puts pictures on the clipboard (xclip or wl-copy would).", file.string());
  } catch (const Error& error) { state.message = error.message().translated(); }
}

void WindowContent::save(const std::string& what, const fs::path& file) {
  if (saving_.valid()) throw usage_error("Something is still being saved.");
  const WindowState& state = control_.state();
  const Cursor& cursor = state.cursor;
  Document& document = control_.document();
  const std::string at = cursor.step == 0 ? "start"
                         : cursor.lockstep
                             ? to_string(position_of(*document.replay, TurnPlace{cursor.step, cursor.made}))
                             : to_string(position_of(*document.trace, cursor.step));
  WindowOptions::Shown shown{
      document.trace, cursor.step,    cursor.lockstep, at,          std::string(view_of(document, state.tab).name()),
      state.theme,    state.language, std::nullopt,    state.costs, state.share};
  if (const auto& marks = document.bookmarks; marks.size() > 1)
    shown.marks = std::pair{marks.front().step, marks.back().step};
  std::error_code failed;
  saving_ = std::async(std::launch::async, [this, what, shown, file = fs::absolute(file, failed)] {
    Message outcome;
    try {
      options_.save(what, shown, file);
      outcome = Message("Saved: {}", file.string());
    } catch (const std::exception& error) { outcome = message_of(error); }
    wake_();
    return outcome;
  });
  control_.state().message = tr("Saving …");
}

void WindowContent::follow_saving() {
  if (!saving_.valid() || saving_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  control_.state().message = saving_.get().translated();
  control_.touch();
}

}  // namespace twiddle
