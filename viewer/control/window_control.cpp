#include "viewer/control/window_control.h"

#include "base/tr.h"

#include "base/error.h"
#include "base/retold.h"
#include "tracer/replay/position.h"
#include "viewer/facts/comparison.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"
#include "viewer/state/guide.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr float least_scale = 0.5f, most_scale = 4;
constexpr double tooltip_seconds = 0.15;
constexpr double message_seconds = 8;
constexpr float overview_below = 8;  // px of a row: the diagram shows blocks then, and keys go by stages

}  // namespace

ThemeName next_theme(ThemeName theme) {
  switch (theme) {
    case ThemeName::Light: return ThemeName::Dark;
    case ThemeName::Dark: return ThemeName::Projector;
    case ThemeName::Projector: return ThemeName::Light;
  }
  return ThemeName::Light;
}

WindowControl::WindowControl(Document& document, WindowActions actions)
    : document_(&document), playback_(document.info()) {
  state_.fields = trace_fields(document.info());
  serve(std::move(actions));
}

void WindowControl::serve(WindowActions actions) {
  actions_ = std::move(actions);
  state_.can_run = static_cast<bool>(actions_.run_again);
  state_.has_dialog = static_cast<bool>(actions_.dialog);
}

void WindowControl::compare(const Comparison& comparison) {
  state_.beside = &comparison;
  touch();
}

void WindowControl::show(Document& document) {
  state_.beside = nullptr;
  const std::uint64_t step = playback_.step();
  document_ = &document;
  playback_ = Playback(document.info());
  playback_.seek(step);
  state_.cursor = {};
  state_.viewport = {};
  viewports_.clear();
  state_.trail.clear();
  state_.trail_at = 0;
  state_.tooltip.reset();
  state_.open_choice.clear();
  follow_playback();
}

void WindowControl::follow_playback() {
  const bool moved = state_.cursor.step != playback_.step();
  state_.cursor.step = playback_.step();
  state_.playing = playback_.playing();
  state_.speed = playback_.speed();
  state_.phase = playback_.phase();
  if (moved) keep_in_view();
  touch();
}

void WindowControl::keep_in_view() {
  // A pane that was scrolled by hand follows the cursor again as soon as it moves.
  state_.scroll.erase("source");
  state_.scroll.erase("launches");
  if (state_.viewport.zoom > 1 && state_.cursor.step > 0)
    state_.viewport = view().showing(diagram_input(), state_.cursor.step);
}

DiagramInput WindowControl::diagram_input() const { return twiddle::diagram_input(*document_, state_); }

const View& WindowControl::view() const { return view_of(*document_, state_.tab); }

void WindowControl::show_view(std::string_view name) {
  if (view().name() == name) return;
  viewports_[std::string(view().name())] = state_.viewport;
  state_.tab = name;
  const auto kept = viewports_.find(state_.tab);
  state_.viewport = kept == viewports_.end() ? Viewport{} : kept->second;
  keep_in_view();
}

void WindowControl::choose_view(std::uint64_t entry, const std::string& open) {
  const std::vector<const View*> list = views_of(*document_);
  if (entry < list.size())
    show_view(list[static_cast<std::size_t>(entry)]->name());
  else if (open != "view")
    state_.open_choice = "view", state_.scroll.erase("choice");
}

void WindowControl::next_view(int by) {
  const std::vector<const View*> list = views_of(*document_);
  const auto here = std::find(list.begin(), list.end(), &view()) - list.begin();
  const auto count = static_cast<std::ptrdiff_t>(list.size());
  show_view(list[static_cast<std::size_t>((here + by + count) % count)]->name());
}

bool WindowControl::overview() const {
  std::uint64_t rows = 1;
  for (const BufferInfo& buffer : document_->info().buffers) rows = std::max(rows, buffer.count);
  const WindowLayout layout = window_layout(state_);
  return static_cast<double>(layout.diagram.h) * state_.viewport.zoom / static_cast<double>(rows) <
         static_cast<double>(overview_below * state_.scale);
}

void WindowControl::step(int by) {
  if (overview())
    playback_.stage_by(by);
  else
    playback_.step_by(by);
}

void WindowControl::seek(std::uint64_t step) {
  playback_.seek(step);
  follow_playback();
}

/// A jump leads away from here: Back comes back.
void WindowControl::remember() {
  constexpr std::size_t most = 64;
  std::vector<std::uint64_t>& trail = state_.trail;
  trail.resize(state_.trail_at);
  if (trail.empty() || trail.back() != playback_.step()) trail.push_back(playback_.step());
  if (trail.size() > most) trail.erase(trail.begin());
  state_.trail_at = trail.size();
}

void WindowControl::retrace(std::ptrdiff_t by) {
  std::vector<std::uint64_t>& trail = state_.trail;
  auto at = static_cast<std::ptrdiff_t>(state_.trail_at);
  if (by < 0 && state_.trail_at == trail.size()) {
    if (trail.empty()) return;
    // The place that one goes back from is where Forward leads to.
    if (trail.back() != playback_.step())
      trail.push_back(playback_.step());
    else
      --at;
  }
  at += by;
  if (at < 0 || at >= static_cast<std::ptrdiff_t>(trail.size())) return;
  state_.trail_at = static_cast<std::size_t>(at);
  playback_.seek(trail[state_.trail_at]);
}

void WindowControl::set_scale(float scale) {
  user_scale_ = std::clamp(scale, least_scale, most_scale);
  if (std::abs(user_scale_ - 1) < 0.02f) user_scale_ = 1;
  state_.scale = user_scale_ * screen_scale_;
}

void WindowControl::set_user_scale(float scale) {
  set_scale(scale);
  touch();
}

void WindowControl::set_screen_scale(float scale) {
  screen_scale_ = std::clamp(scale, 0.5f, 8.0f);
  set_scale(user_scale_);
  touch();
}

void WindowControl::set_presenting(bool on) {
  state_.presenting = on;
  fullscreen_ = on;
  if (actions_.fullscreen) actions_.fullscreen(on);
}

/// In the trace's file and in the list. Throws Error when the file cannot be written.
void WindowControl::keep_bookmark(std::uint64_t step, const std::string& note, bool present) {
  set_bookmark(document_->trace->path(), step, note, present);
  auto& list = document_->bookmarks;
  std::erase_if(list, [&](const auto& bookmark) { return bookmark.step == step; });
  if (!present) return;
  list.push_back({step, note});
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
}

void WindowControl::bookmark_at_cursor() {
  const auto& list = document_->bookmarks;
  const std::uint64_t step = state_.cursor.step;
  const bool there = std::any_of(list.begin(), list.end(), [&](const auto& bookmark) { return bookmark.step == step; });
  try {
    keep_bookmark(step, {}, !there);
  } catch (const Error& error) { state_.message = retold(error.what()); }
}

void WindowControl::next_bookmark(int by) {
  std::vector<std::uint64_t> steps;
  for (const auto& bookmark : document_->bookmarks)
    if (bookmark.step <= document_->info().steps) steps.push_back(bookmark.step);
  std::sort(steps.begin(), steps.end());
  if (steps.empty()) {
    state_.message = tr("There are no bookmarks yet: F9 sets one here.");
    return;
  }
  const std::uint64_t here = playback_.step();
  if (by > 0) {
    const auto next = std::upper_bound(steps.begin(), steps.end(), here);
    playback_.seek(next == steps.end() ? steps.front() : *next);  // round and round
  } else {
    const auto at = std::lower_bound(steps.begin(), steps.end(), here);
    playback_.seek(at == steps.begin() ? steps.back() : *(at - 1));
  }
}

void WindowControl::next_note(int by) {
  const std::vector<TraceNote>& notes = facts_of(*document_).notes;
  if (notes.empty()) {
    state_.message = tr("There are no findings in this trace.");
    return;
  }
  // By severity, as the list has them, so that the first N shows the worst; round and round from the one that is shown.
  const auto count = static_cast<std::int64_t>(notes.size());
  const std::optional<Mark>& pinned = state_.cursor.pinned;
  std::int64_t next = by > 0 ? 0 : count - 1;
  if (pinned && pinned->kind == MarkKind::Finding)
    next = (static_cast<std::int64_t>(pinned->index) + by + count) % count;
  show_note(static_cast<std::uint64_t>(next));
}

void WindowControl::show_note(std::uint64_t number) {
  const std::vector<TraceNote>& notes = facts_of(*document_).notes;
  if (number >= notes.size()) return;
  const Mark mark{.kind = MarkKind::Finding, .index = number, .step = notes[static_cast<std::size_t>(number)].step};
  playback_.seek(mark.step);
  state_.cursor.pinned = mark;
  state_.side_tab = "findings";
}

void WindowControl::leave() {
  // One thing at a time, the topmost first.
  if (!state_.open_choice.empty())
    state_.open_choice.clear();
  else if (state_.sketch.open)
    state_.sketch.open = false;
  else if (typing())
    state_.going_to = state_.opening = state_.noting = false, state_.go_to_error.clear();
  else if (state_.help)
    state_.help = false;
  else if (!state_.message.empty())
    state_.message.clear();
  else if (state_.blank)
    state_.blank = false;
  else if (state_.presenting || fullscreen_)
    set_presenting(false);
  else if (state_.cursor.pinned)
    state_.cursor.pinned.reset();
}

void WindowControl::command(Command command) {
  if (command == Command::None) return;
  // A blank screen comes back with whatever is asked for next.
  if (state_.blank && command != Command::Blank) {
    state_.blank = false;
    if (command == Command::Leave) return touch();
  }
  if (command != Command::Leave && command != Command::NextBookmark) state_.message.clear();
  switch (command) {
    case Command::PlayPause: playback_.play(!playback_.playing()); break;
    case Command::StepForward: step(1); break;
    case Command::StepBack: step(-1); break;
    case Command::StageForward: playback_.stage_by(1); break;
    case Command::StageBack: playback_.stage_by(-1); break;
    case Command::First: playback_.seek(0); break;
    case Command::Last: playback_.seek(document_->info().steps); break;
    case Command::Slower: playback_.slower(); break;
    case Command::Faster: playback_.faster(); break;
    case Command::GoTo: begin_going(); break;
    case Command::Open: begin_opening(); break;
    case Command::OpenByDialog: open_by_dialog(); break;
    case Command::Note: begin_note(); break;
    case Command::ToggleBookmark: bookmark_at_cursor(); break;
    case Command::NextBookmark: next_bookmark(1); break;
    case Command::PreviousBookmark: next_bookmark(-1); break;
    case Command::NextFinding: next_note(1); break;
    case Command::PreviousFinding: next_note(-1); break;
    case Command::Blank: state_.blank = !state_.blank; break;
    case Command::Fullscreen:
    case Command::Present: set_presenting(!state_.presenting); break;
    case Command::HidePointer:
      pointer_hidden_ = !pointer_hidden_;
      if (actions_.show_pointer) actions_.show_pointer(!pointer_hidden_);
      break;
    case Command::ScaleUp: set_scale(user_scale_ * scale_step); break;
    case Command::ScaleDown: set_scale(user_scale_ / scale_step); break;
    case Command::ScaleReset: set_scale(1); break;
    case Command::Help: state_.help = !state_.help; break;
    case Command::Leave: leave(); break;
    case Command::NextTheme: state_.theme = next_theme(state_.theme); break;
    case Command::NextLanguage:
      state_.language = next_language(state_.language);
      speak(state_.language);
      state_.message = missing_face(state_.language);
      if (actions_.language) actions_.language(state_.language);
      break;
    case Command::RunAgain:
      if (state_.can_run && actions_.run_again) actions_.run_again();
      break;
    case Command::ZoomIn:
    case Command::ZoomOut: {
      const DiagramInput input = diagram_input();
      state_.viewport = view().zoomed(input, {input.width / 2, input.height / 2}, command == Command::ZoomIn ? 2 : 0.5);
      break;
    }
    case Command::ZoomReset: state_.viewport = {}; break;
    case Command::Back: retrace(-1); break;
    case Command::Forward: retrace(1); break;
    case Command::SwapScreens:
      if (actions_.swap_screens) actions_.swap_screens();
      break;
    case Command::Notes:
      if (actions_.notes) actions_.notes();
      break;
    case Command::NextView: next_view(1); break;
    case Command::PreviousView: next_view(-1); break;
    case Command::LogScale: state_.log_scale = !state_.log_scale; break;
    // Only lessons have these: a remote's keys never do anything else.
    case Command::LessonNext:
    case Command::LessonPrevious:
      if (actions_.turn_page) actions_.turn_page(command == Command::LessonNext ? 1 : -1);
      break;
    case Command::Predict:
    case Command::None: break;
  }
  follow_playback();
}

bool WindowControl::key(const Chord& chord) {
  if (state_.sketch.open && chord.key != "Escape") {
    if (chord.key == "Enter") run_sketch();
    return true;
  }
  const Command asked = state_.keys.command(chord);
  if (asked == Command::None) return false;
  command(asked);
  return true;
}

void WindowControl::resize(float width, float height) {
  if (state_.width == width && state_.height == height) return;
  state_.width = std::max(1.0f, width);
  state_.height = std::max(1.0f, height);
  touch();
}

bool WindowControl::advance(double seconds) {
  const std::uint64_t before = revision_;
  since_click_ += seconds;
  if (playback_.moving()) {
    playback_.advance(seconds);
    follow_playback();
  }
  if (state_.cursor.hover && !state_.tooltip) {
    hovered_for_ += seconds;
    if (hovered_for_ >= tooltip_seconds && drag_ == Drag::None) {
      state_.tooltip = hover_at_;
      touch();
    }
  }
  if (state_.message != shown_message_) shown_message_ = state_.message, message_for_ = 0;
  if (!state_.message.empty() && (message_for_ += seconds) > message_seconds) {
    state_.message.clear();
    touch();
  }
  return revision_ != before;
}

std::optional<double> WindowControl::next_change() const {
  if (playback_.moving()) return 0;
  std::optional<double> next;
  if (state_.cursor.hover && !state_.tooltip && hovered_for_ >= 0)
    next = std::max(0.001, tooltip_seconds - hovered_for_);
  if (!state_.message.empty())
    next = std::min(next.value_or(message_seconds), std::max(0.01, message_seconds - message_for_));
  return next;
}

}  // namespace twiddle
