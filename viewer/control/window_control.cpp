#include "viewer/control/window_control.h"

#include "base/tr.h"
#include "tracer/trace/item_words.h"
#include "viewer/compare/comparison.h"
#include "viewer/document/flow.h"
#include "viewer/input/stops.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"
#include "viewer/state/guide.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace twiddle {
namespace {

constexpr float min_scale = 0.5f, max_scale = 4;
constexpr double readable_row = 40;  // px of a row whose values are written
constexpr float overview_below = 8;  // px of a row: the diagram shows blocks then, and keys go by stages

}  // namespace

ThemeName next_theme(ThemeName theme) { return static_cast<ThemeName>((static_cast<int>(theme) + 1) % 3); }

WindowControl::WindowControl(Document& document, WindowActions actions)
    : document_(&document), playback_(document.info()) {
  state_.fields = trace_fields(document.info());
  set_actions(std::move(actions));
}

void WindowControl::set_actions(WindowActions actions) {
  actions_ = std::move(actions);
  state_.can_run = static_cast<bool>(actions_.run_again);
  state_.has_dialog = static_cast<bool>(actions_.dialog);
  state_.can_hear = actions_.play && actions_.stop_sound && actions_.sound;
  state_.can_show_twin = static_cast<bool>(actions_.twin);
}

void WindowControl::compare(const Comparison& comparison) {
  state_.beside = &comparison;
  set_other_trace(*document_, comparison.comparable() ? comparison.second().trace : nullptr, Comparison::ulps);
  touch();
}

void WindowControl::show(Document& document) {
  stop_hearing();
  heard_about_.reset();
  state_.beside = nullptr;
  const std::uint64_t step = playback_.step();
  document_ = &document;
  if (!state_.tab.empty() && view_of(document, state_.tab).name() != state_.tab) state_.tab.clear();
  const bool reduced = playback_.reduced_motion();
  const float speed = playback_.speed();
  playback_ = Playback(document.info());
  playback_.set_reduced_motion(reduced);
  playback_.set_speed(speed);
  playback_.seek(step);
  state_.cursor = {};
  state_.viewport = {};
  viewports_.clear();
  state_.scrub = {};
  state_.range.reset();
  state_.trail = {};
  state_.tooltip.reset();
  state_.open_choice.clear();
  // What is watched is of the buffers that were there.
  std::erase_if(state_.watch.stops, [&](const StopCondition& stop) {
    const BufferInfo* of = document.info().buffer(stop.buffer);
    return (stop.buffer >= 0 && (!of || stop.index >= of->count)) || stop.kind == StopCondition::Kind::Other;
  });
  if (const BufferInfo* of = document.info().buffer(state_.watch.buffer); !of || state_.watch.index >= of->count)
    state_.watch.history = false;
  fit_step_by();
  follow_playback();
}

void WindowControl::fit_step_by() {
  if (!state_.step_by_fits) return;
  const std::vector<LaunchInfo>& launches = document_->info().launches;
  const bool together =
      std::any_of(launches.begin(), launches.end(), [](const LaunchInfo& launch) { return launch.group_size() > 1; });
  // A lesson speaks of one operation after the other.
  state_.step_by = together && !state_.guide ? StepBy::SubGroup : StepBy::Item;
  aim_playback();
}

void WindowControl::aim_playback() {
  const StepBy by = state_.predict != Predict::Off || state_.beside ? StepBy::Item : state_.step_by;
  state_.cursor.lockstep = by == StepBy::SubGroup;
  if (by == StepBy::Item) return playback_.set_mover({});
  playback_.set_mover([this, by](const TurnPlace& from, int forward) -> TurnPlace {
    if (by == StepBy::SubGroup)
      return forward > 0 ? next_turn(*document_->replay, from) : previous_turn(*document_->replay, from);
    Playback stages(document_->info());
    stages.seek(from.step);
    stages.stage_by(forward);
    return {stages.step(), 0};
  });
}

void WindowControl::set_step_by(StepBy by) {
  state_.step_by = by;
  state_.step_by_fits = false, state_.step_by_chosen = true;
  const TraceInfo& info = document_->info();
  switch (by) {
    case StepBy::Item: state_.message = tr("Steps are operations of {}.", items_noun(info)); break;
    case StepBy::SubGroup:
      state_.message = tr("Steps are turns: what the lanes of a {} do together.", lanes_noun(info));
      break;
    case StepBy::Stage: state_.message = tr("Steps are stages."); break;
  }
}

void WindowControl::follow_playback() {
  const bool moved = state_.cursor.step != playback_.step() || state_.cursor.made != playback_.made();
  state_.cursor.step = playback_.step();
  state_.cursor.made = playback_.made();
  aim_playback();
  state_.playback = {playback_.playing(), playback_.speed(), playback_.phase(), playback_.reduced_motion()};
  // After the last operation nothing is left to ask for.
  if (state_.predict == Predict::Asking && playback_.step() == document_->info().steps)
    state_.predict = Predict::Answered;
  if (moved) keep_in_view();
  if (moved && state_.predict == Predict::Asking) state_.presentation.votes = {};  // for another question
  touch();
}

void WindowControl::keep_in_view() {
  // A pane that was scrolled by hand follows the cursor again as soon as it moves.
  state_.scroll.erase("source");
  state_.scroll.erase("launches");
  follow_scrub();
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

void WindowControl::next_view(int by) {
  const std::vector<const View*> list = views_of(*document_);
  const auto here = std::find(list.begin(), list.end(), &view()) - list.begin();
  const auto count = static_cast<std::ptrdiff_t>(list.size());
  show_view(list[(here + by + count) % count]->name());
}

/// The entry of the field of ranks that is `by` further, around its ends.
void WindowControl::next_rank(int by) {
  const auto field = field_named(*document_, state_, "rank");
  if (!field || !actions_.choose) {
    state_.message = tr("This trace is not one of the ranks of a run.");
    return;
  }
  const auto& entries = field->entries;
  const auto here =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.id == field->chosen; }) -
      entries.begin();
  const auto count = static_cast<std::ptrdiff_t>(entries.size());
  actions_.choose("rank", entries[static_cast<std::size_t>((here + by + count) % count)].id);
}

bool WindowControl::overview() const {
  std::uint64_t rows = 1;
  for (const BufferInfo& buffer : document_->info().buffers) rows = std::max(rows, buffer.count);
  const WindowLayout layout = window_layout(state_);
  return static_cast<double>(layout.diagram.h) * state_.viewport.zoom / static_cast<double>(rows) <
         static_cast<double>(overview_below * layout.drawing);
}

void WindowControl::step(int by) {
  const bool forward = by > 0 && playback_.step() < document_->info().steps;
  if (state_.predict == Predict::Answered && forward) {
    state_.predict = Predict::Asking;
    state_.presentation.votes = {};
    return;
  }
  if (state_.predict == Predict::Asking && forward) state_.predict = Predict::Answered;
  if (state_.predict == Predict::Off && state_.step_by != StepBy::SubGroup && overview())
    playback_.stage_by(by);
  else
    playback_.step_by(by);
}

void WindowControl::seek(std::uint64_t step, int made) {
  playback_.seek(step, made);
  follow_playback();
}

/// Jumps, so that Back returns here.
void WindowControl::jump(std::uint64_t step) {
  state_.trail.leave(playback_.step());
  seek(step);
}

void WindowControl::retrace(std::ptrdiff_t by) {
  if (const auto step = state_.trail.go(by, playback_.step())) playback_.seek(*step);
}

void WindowControl::set_user_scale(float scale) {
  user_scale_ = std::clamp(scale, min_scale, max_scale);
  if (std::abs(user_scale_ - 1) < 0.02f) user_scale_ = 1;
  state_.scale = user_scale_ * screen_scale_;
  touch();
}

void WindowControl::set_screen_scale(float scale) {
  screen_scale_ = std::clamp(scale, 0.5f, 8.0f);
  state_.screen_scale = screen_scale_;
  set_user_scale(user_scale_);
}

void WindowControl::set_reduced_motion(bool on) {
  playback_.set_reduced_motion(on);
  follow_playback();
}

void WindowControl::set_speed(float speed) {
  playback_.set_speed(speed);
  follow_playback();
}

void WindowControl::set_theme(ThemeName name) {
  theme_before_.reset();
  theme_before_presenting_.reset();
  state_.theme = name;
}

void WindowControl::set_language(Language language) {
  if (language == state_.language) return;
  state_.language = language;
  use_language(language);
  state_.message = missing_face(language);
  if (actions_.language) actions_.language(language);
}

/// From all of it to where the values of the current operation can be read.
void WindowControl::zoom_to_now() {
  const DiagramInput input = diagram_input();
  const double rows = static_cast<double>(std::max<std::uint64_t>(document_->flow().rows(), 1));
  const double zoom =
      rows * readable_row * static_cast<double>(state_.scale) / std::max(1.0, static_cast<double>(input.height));
  if (zoom <= 1) {
    state_.viewport = {};
    return;
  }
  state_.viewport = view().zoomed(input, {input.width / 2, input.height / 2}, zoom / state_.viewport.zoom);
  if (state_.cursor.step > 0) state_.viewport = view().showing(diagram_input(), state_.cursor.step);
}

void WindowControl::resize(float width, float height) {
  if (state_.width == width && state_.height == height) return;
  state_.width = std::max(1.0f, width);
  state_.height = std::max(1.0f, height);
  touch();
}

}  // namespace twiddle
