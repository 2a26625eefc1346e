#include "viewer/session/run_tabs.h"

#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/command_text.h"

#include <algorithm>
#include <utility>

namespace twiddle {

bool same_shape(const TraceInfo& a, const TraceInfo& b) {
  return a.algorithm == b.algorithm &&
         std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
                    [](const BufferInfo& x, const BufferInfo& y) { return x.name == y.name && x.count == y.count; });
}

RunTabs::RunTabs(WindowControl& control, Rerun& rerun, Traces& traces, LiveSession& live, std::function<void()> shown)
    : control_(control), rerun_(rerun), traces_(traces), live_(live), shown_(std::move(shown)) {}

void RunTabs::add_actions(WindowActions& actions) {
  actions.show_run = [this](std::size_t run) { show(run); };
  actions.close_run = [this](std::size_t run) { close(run); };
  actions.compare_runs = [this](std::size_t left, std::size_t right) { compare(left, right); };
}

RunTabs::Run RunTabs::now(const std::string& name) {
  Run run;
  run.id = ++made_;
  run.name = name;
  run.trace = control_.document().trace;
  run.job = rerun_.job();
  run.can_run = control_.state().can_run;
  return run;
}

void RunTabs::begin(bool kept, const std::string& name) {
  runs_.clear(), before_.clear();
  at_ = made_ = 0;
  kept_ = kept;
  live_.exchange_pasts({});
  if (kept_) runs_.push_back(now(name));
  publish();
}

/// What belongs to the run that is shown goes with it.
void RunTabs::leave() {
  if (at_ < runs_.size()) {
    runs_[at_].pasts = live_.exchange_pasts({});
    before_.push_back(runs_[at_].id);
    if (before_.size() > max_shown_before) before_.erase(before_.begin());
  }
}

std::string RunTabs::add(const std::string& name) {
  if (!kept_) {
    if (!control_.state().guide) begin(true, name);
    return {};
  }
  leave();
  runs_.push_back(now(name));
  at_ = runs_.size() - 1;
  std::string closed;
  if (runs_.size() > max_runs) {
    closed = control_.state().runs.tabs.empty() ? std::string() : control_.state().runs.tabs.front().name;
    std::erase(before_, runs_.front().id);
    drop(runs_.front());
    runs_.erase(runs_.begin());
    --at_;
  }
  publish();
  return closed;
}

void RunTabs::follow() {
  if (at_ >= runs_.size()) return;
  runs_[at_].trace = control_.document().trace;
  runs_[at_].job = rerun_.job();
  publish();
}

void RunTabs::show(std::size_t run, bool counts) {
  WindowState& state = control_.state();
  if (run >= runs_.size() || (run == at_ && !state.beside)) return;
  if (rerun_.running()) {
    state.message = tr("A run is under way: Esc cancels it.");
    return;
  }
  if (run != at_) {
    leave();
    if (!counts && !before_.empty()) before_.pop_back();
    at_ = run;
    live_.exchange_pasts(std::exchange(runs_[run].pasts, {}));
  }
  const Run& to = runs_[at_];
  // Of the same plan what is zoomed and pinned stays.
  auto fresh = std::make_unique<Document>(to.trace);
  if (same_shape(fresh->info(), control_.document().info()) && !state.beside)
    traces_.replace(std::move(fresh));
  else
    traces_.show(std::move(fresh));
  rerun_.restore(to.job);
  state.can_run = to.can_run;
  state.frames.reset();
  state.problems.clear(), state.edited.clear();
  publish();
  shown_();
}

bool RunTabs::undo() {
  while (!before_.empty()) {
    const std::size_t id = before_.back();
    before_.pop_back();
    const auto run = std::find_if(runs_.begin(), runs_.end(), [&](const Run& one) { return one.id == id; });
    if (run == runs_.end() || (run - runs_.begin()) == static_cast<std::ptrdiff_t>(at_)) continue;
    const std::size_t shown = at_;
    show(static_cast<std::size_t>(run - runs_.begin()), false);
    if (at_ == shown) before_.push_back(id);  // a run is under way
    return true;
  }
  return false;
}

void RunTabs::close(std::size_t run) {
  if (run >= runs_.size() || runs_.size() < 2) return;
  if (run == at_) {
    // The one that was shown before it, else its neighbour.
    const std::size_t id = runs_[run].id;
    if (!undo()) show(run > 0 ? run - 1 : 1, false);
    if (runs_[at_].id == id) return;  // a run is under way
    run = static_cast<std::size_t>(
        std::find_if(runs_.begin(), runs_.end(), [&](const Run& one) { return one.id == id; }) - runs_.begin());
  } else if (control_.state().runs.beside == run) {
    show(at_);
  }
  std::erase(before_, runs_[run].id);
  runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(run));
  if (at_ > run) --at_;
  if (auto& beside = control_.state().runs.beside; beside && *beside > run) --*beside;
  publish();
}

void RunTabs::compare(std::size_t left, std::size_t right) {
  if (left >= runs_.size() || right >= runs_.size() || left == right) return;
  show(left);
  if (at_ != left) return;
  control_.state().runs.beside = right;
  traces_.show_beside(std::make_unique<Document>(runs_[right].trace));
  control_.touch();
}

void RunTabs::drop(const Run& run) {
  for (const auto& [name, text] : run.job.request.edited) dropped_.push_back(text);
}

std::string RunTabs::unsaved(const std::vector<std::string>& saved) const {
  std::string texts;
  for (const std::string& text : dropped_)
    if (std::find(saved.begin(), saved.end(), text) == saved.end()) texts += text;
  for (const Run& run : runs_)
    for (const auto& [name, text] : run.job.request.edited)
      if (std::find(saved.begin(), saved.end(), text) == saved.end()) texts += text;
  return texts;
}

std::string RunTabs::unsaved(const std::vector<std::string>& saved, std::size_t run) const {
  std::string texts;
  if (run >= runs_.size()) return texts;
  std::vector<std::string> kept = saved;
  for (std::size_t other = 0; other < runs_.size(); ++other)
    if (other != run)
      for (const auto& [name, text] : runs_[other].job.request.edited) kept.push_back(text);
  for (const auto& [name, text] : runs_[run].job.request.edited)
    if (std::find(kept.begin(), kept.end(), text) == kept.end()) texts += text;
  return texts;
}

void RunTabs::publish() {
  RunBar& bar = control_.state().runs;
  const auto beside = control_.state().beside ? bar.beside : std::nullopt;
  bar = {};
  bar.beside = beside;
  for (const Run& run : runs_) {
    std::string about = command_of(run.job.request);
    for (const auto& [name, text] : run.job.request.edited)
      about += (about.empty() ? "" : "\n") + tr("{}, edited", name);
    bar.tabs.push_back(
        {run.name.empty() ? tr("run {}", run.id) : run.name, std::move(about), !run.job.request.edited.empty()});
  }
  bar.shown = at_;
  control_.touch();
}

}  // namespace twiddle
