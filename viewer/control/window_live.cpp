// The signal in the user's hand: samples that are dragged, moved by keys, and put back.
#include "base/tr.h"
#include "viewer/control/window_control.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace twiddle {

void WindowControl::replace(Document& document) {
  // What is pinned, hovered and zoomed is the same in a run of the same plan.
  const Cursor cursor = state_.cursor;
  const Viewport viewport = state_.viewport;
  const Trail trail = state_.trail;
  const bool at_end = playback_.step() == document_->info().steps;
  std::map<std::string, Viewport> viewports = std::move(viewports_);
  show(document);
  if (at_end) playback_.seek(document.info().steps);
  follow_playback();
  state_.cursor.hover = cursor.hover, state_.cursor.pinned = cursor.pinned;
  if (state_.cursor.pinned && state_.cursor.pinned->kind == MarkKind::Finding) state_.cursor.pinned.reset();
  state_.viewport = viewport, state_.trail = trail;
  viewports_ = std::move(viewports);
  touch();
}

/// Takes hold of a sample's handle. False: it can not be changed here, and the message says why.
bool WindowControl::hold_sample(const Mark& mark) {
  LiveSignal& live = state_.live;
  if (!live.possible || !state_.can_run) {
    state_.message = tr("Nothing can be run again from here, so the signal stays as it is.");
    touch();
    return false;
  }
  std::vector<std::complex<double>> samples = samples_at_hand(*document_, &live);
  if (mark.index >= samples.size() || state_.predict != Predict::Off) return false;
  const LiveAxis axis = live_axis(samples, nullptr);
  live.low = axis.low, live.high = axis.high;
  live.samples = std::move(samples);
  live.before = live.samples;
  live.changes.reset();
  live.held = live.focus = mark.index;
  live.answered = false;
  live.result_before.clear();
  if (const int output = document_->info().buffer_named(document_->info().expect.output); output >= 0)
    live.result_before = numbers_of(*document_, output, static_cast<int>(document_->info().segments.size()) - 1);
  // The run is shown to its end: there every value answers. Back leads to where the cursor was.
  if (playback_.step() < document_->info().steps) jump(document_->info().steps);
  touch();
  return true;
}

void WindowControl::set_sample(std::uint64_t sample, double value, bool held) {
  LiveSignal& live = state_.live;
  if (sample >= live.samples.size()) return;
  const int buffer = live_buffer(document_->info());
  if (buffer < 0) return;
  const ElementType type = document_->info().buffers[static_cast<std::size_t>(buffer)].type;
  if (!traits(type).floating) value = std::round(value);
  // As the buffer will hold it.
  if (traits(type).scalar == ElementType::Float) value = static_cast<double>(static_cast<float>(value));
  if (live.samples[sample].real() == value && held) return;
  live.samples[sample].real(value);
  live.answered = true;
  if (actions_.run_live) actions_.run_live(live.samples, held);
  touch();
}

void WindowControl::drag_sample(Point at) {
  const WindowLayout layout = window_layout(state_);
  const Point inside{at.x - layout.diagram.x, at.y - layout.diagram.y};
  if (!state_.live.held) return;
  std::optional<double> value = view().sample_value(diagram_input(), *state_.live.held, inside);
  if (!value) return;
  if (shift_) value = std::round(*value * 10) / 10;
  set_sample(*state_.live.held, *value, true);
}

void WindowControl::let_go_of_sample() {
  LiveSignal& live = state_.live;
  live.held.reset();
  live.low = live.high = 0;
  if (!live.answered) {
    live.samples.clear(), live.before.clear(), live.result.clear();
  } else if (actions_.run_live) {
    actions_.run_live(live.samples, false);
  }
  touch();
}

/// Arrow keys move the sample in focus by a tenth; false where they mean something else.
bool WindowControl::nudge_sample(const Chord& chord) {
  LiveSignal& live = state_.live;
  if (!live.focus || chord.ctrl || chord.alt || chord.shift) return false;
  if (chord.key == "Escape") {
    live.focus.reset();
    touch();
    return true;
  }
  const bool up = chord.key == "Up" || chord.key == "Right", down = chord.key == "Down" || chord.key == "Left";
  if (!up && !down) return false;
  const std::uint64_t sample = *live.focus;
  if (!hold_sample(sample_mark(live_buffer(document_->info()), sample))) return true;
  live.held.reset();
  live.low = live.high = 0;
  set_sample(sample, std::round((live.samples[sample].real() + (up ? 0.1 : -0.1)) * 1e6) / 1e6, false);
  return true;
}

/// The yellow of what changed ends with the next input.
void WindowControl::forget_changes() {
  LiveSignal& live = state_.live;
  if (!live.changes && live.before.empty()) return;
  live.changes.reset();
  live.before.clear(), live.result_before.clear();
  touch();
}

}  // namespace twiddle
