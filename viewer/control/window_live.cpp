// The signal in the user's hand: samples that are dragged, moved by keys, and put back.
#include "base/tr.h"
#include "viewer/control/window_control.h"
#include "viewer/panels/panels.h"
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

/// Takes the signal in hand. False: it can not be changed here, and the message says why.
bool WindowControl::hold_signal() {
  LiveSignal& live = state_.live;
  if (!live.possible || !state_.can_run) {
    state_.message = tr("Nothing can be run again from here, so the signal stays as it is.");
    touch();
    return false;
  }
  if (state_.predict != Predict::Off) return false;
  live.samples = samples_at_hand(*document_, &live);
  const LiveAxis axis = live_axis(live.samples, nullptr);
  live.low = axis.low, live.high = axis.high;
  live.before = live.samples;
  live.wave = live.wave_before = live.wave.value_or(wave_of(document_->info().signal));
  live.changes.reset();
  live.answered = false;
  live.result_before.clear();
  if (const int output = document_->info().buffer_named(document_->info().expect.output); output >= 0)
    live.result_before = numbers_of(*document_, output, static_cast<int>(document_->info().segments.size()) - 1);
  // The run is shown to its end: there every value answers. Back leads to where the cursor was.
  if (playback_.step() < document_->info().steps) jump(document_->info().steps);
  touch();
  return true;
}

/// Takes hold of a sample's handle.
bool WindowControl::hold_sample(const Mark& mark) {
  if (mark.index >= samples_at_hand(*document_, &state_.live).size() || !hold_signal()) return false;
  state_.live.held = state_.live.focus = mark.index;
  return true;
}

/// Takes hold of all samples by the wave's sliders.
bool WindowControl::hold_wave() {
  if (!hold_signal()) return false;
  LiveSignal& live = state_.live;
  live.held = LiveSignal::all_held, live.focus.reset();
  // As far as the wave can swing, so that the axis keeps still.
  const bool floating =
      traits(document_->info().buffers[static_cast<std::size_t>(live_buffer(document_->info()))].type).floating;
  const double far = slider_range(LiveWave::Amplitude, live_width(document_->info()), floating).high;
  live.low = std::min(live.low, -far), live.high = std::max(live.high, far);
  return true;
}

/// As the buffer will hold it.
double WindowControl::as_stored(double value) const {
  const int buffer = live_buffer(document_->info());
  if (buffer < 0) return value;
  const ElementType type = document_->info().buffers[static_cast<std::size_t>(buffer)].type;
  if (!traits(type).floating) return std::round(value);
  return traits(type).scalar == ElementType::Float ? static_cast<double>(static_cast<float>(value)) : value;
}

/// The samples from before the change, and what the sliders have changed of the wave since then.
void WindowControl::apply_wave(const LiveWave& wave, bool held) {
  LiveSignal& live = state_.live;
  if (live.wave == wave && held) return;
  live.wave = wave;
  const std::uint64_t width = std::max<std::uint64_t>(1, live_width(document_->info()));
  for (std::uint64_t j = 0; j < live.samples.size(); ++j) {
    const std::uint64_t at = j % width;
    live.samples[j].real(
        as_stored(live.before[j].real() + wave.sample(at, width) - live.wave_before->sample(at, width)));
  }
  live.answered = true;
  if (actions_.run_live) actions_.run_live(live.samples, held);
  touch();
}

void WindowControl::set_slider(LiveWave::Slider slider, double value, bool held) {
  const int buffer = live_buffer(document_->info());
  if (buffer < 0 || !state_.live.wave) return;
  const BufferInfo& info = document_->info().buffers[static_cast<std::size_t>(buffer)];
  const SliderRange range = slider_range(slider, live_width(document_->info()), traits(info.type).floating);
  LiveWave wave = *state_.live.wave;
  wave.values[slider] = std::clamp(std::round(value / range.step) * range.step, range.low, range.high);
  apply_wave(wave, held);
}

void WindowControl::drag_slider(Point at) {
  if (!state_.live.held) return;
  const WindowLayout layout = window_layout(state_);
  const int buffer = live_buffer(document_->info());
  if (buffer < 0) return;
  const BufferInfo& info = document_->info().buffers[static_cast<std::size_t>(buffer)];
  const SliderRange range = slider_range(slider_, live_width(document_->info()), traits(info.type).floating);
  const Box track = slider_track(layout.signal.w, layout.scale, slider_);
  const double part = std::clamp(double((at.x - layout.signal.x - track.x) / track.w), 0.0, 1.0);
  set_slider(slider_, range.low + part * (range.high - range.low), true);
}

/// Another shape of as much height; one that has none is given some, so that it is seen.
void WindowControl::set_shape(LiveWave::Shape shape) {
  if (!hold_wave()) return;
  LiveWave wave = *state_.live.wave;
  wave.shape = shape;
  if (wave.values[LiveWave::Amplitude] == 0) wave.values[LiveWave::Amplitude] = 1;
  state_.live.held.reset();
  state_.live.low = state_.live.high = 0;
  apply_wave(wave, false);
}

/// A slider that has the keyboard's focus: the arrows move it by a step. False where they mean something else.
bool WindowControl::slider_key(const Chord& chord) {
  if (!state_.focus || state_.focus->kind != MarkKind::Command || chord.ctrl || chord.alt || chord.shift) return false;
  if (command_named(state_.focus->command) != Command::SetSlider || state_.focus->index >= LiveWave::sliders)
    return false;
  const bool up = chord.key == "Up" || chord.key == "Right", down = chord.key == "Down" || chord.key == "Left";
  if (!up && !down) return false;
  const auto slider = static_cast<LiveWave::Slider>(state_.focus->index);
  if (!hold_wave()) return true;
  LiveSignal& live = state_.live;
  live.held.reset();
  live.low = live.high = 0;
  const bool floating =
      traits(document_->info().buffers[static_cast<std::size_t>(live_buffer(document_->info()))].type).floating;
  const double step = slider_range(slider, live_width(document_->info()), floating).step;
  set_slider(slider, live.wave->values[slider] + (up ? step : -step), false);
  return true;
}

void WindowControl::set_sample(std::uint64_t sample, double value, bool held) {
  LiveSignal& live = state_.live;
  if (sample >= live.samples.size()) return;
  value = as_stored(value);
  if (live.samples[sample].real() == value && held) return;
  live.samples[sample].real(value);
  live.answered = true;
  if (actions_.run_live) actions_.run_live(live.samples, held);
  touch();
}

void WindowControl::bring_samples(const std::vector<double>& samples) {
  LiveSignal& live = state_.live;
  if (samples.size() != samples_at_hand(*document_, &live).size() || !hold_signal()) return;
  for (std::size_t j = 0; j < samples.size(); ++j) live.samples[j].real(as_stored(samples[j]));
  live.low = live.high = 0;
  live.answered = true;
  if (actions_.run_live) actions_.run_live(live.samples, false);
  touch();
}

void WindowControl::drag_sample(Point at) {
  const WindowLayout layout = window_layout(state_);
  const Point inside{at.x - layout.diagram.x, at.y - layout.diagram.y};
  if (!state_.live.held) return;
  std::optional<double> value = view().sample_value(diagram_input(), *state_.live.held, inside);
  if (!value) return;
  if (traits(document_->info().expect.transform).plane) {
    // A pixel has no place of its own to be dragged along: what counts is how far.
    const Point pressed{pressed_at_.x - layout.diagram.x, pressed_at_.y - layout.diagram.y};
    const std::optional<double> first = view().sample_value(diagram_input(), *state_.live.held, pressed);
    value = state_.live.before[*state_.live.held].real() + *value - first.value_or(*value);
  }
  if (shift_) value = std::round(*value * 10) / 10;
  set_sample(*state_.live.held, *value, true);
}

/// Takes hold of all samples to draw them by hand, where that is chosen and the point is among the handles.
bool WindowControl::begin_drawing(Point at) {
  LiveSignal& live = state_.live;
  if (!live.drawing || !live.possible || state_.beside) return false;
  const std::optional<Point> inside = in_diagram(at);
  const std::optional<std::uint64_t> sample = inside ? view().sample_at(diagram_input(), *inside) : std::nullopt;
  if (!sample || !hold_signal()) return false;
  live.held = LiveSignal::all_held, live.focus.reset();
  // Pixels are painted as bright as the brightest; a stroke that begins on such a one paints black.
  brush_ = 0;
  for (const std::complex<double>& one : live.before) brush_ = std::max(brush_, std::abs(one.real()));
  if (brush_ == 0) brush_ = 1;
  if (live.before[*sample].real() == brush_) brush_ = 0;
  return true;
}

/// The samples along a stroke of the pointer become what it goes through.
void WindowControl::draw_samples(Point from, Point to) {
  LiveSignal& live = state_.live;
  if (live.held != LiveSignal::all_held) return;
  const WindowLayout layout = window_layout(state_);
  const DiagramInput input = diagram_input();
  const auto inside = [&](Point p) { return Point{p.x - layout.diagram.x, p.y - layout.diagram.y}; };
  bool changed = false;
  const auto put = [&](std::uint64_t sample, double value) {
    if (sample >= live.samples.size()) return;
    value = as_stored(value);
    changed = changed || live.samples[sample].real() != value;
    live.samples[sample].real(value);
  };
  if (traits(document_->info().expect.transform).plane) {
    constexpr float step = 2;  // px
    const int steps = std::max(1, static_cast<int>(std::ceil(std::hypot(to.x - from.x, to.y - from.y) / step)));
    for (int i = 0; i <= steps; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(steps);
      const Point at{from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
      if (const auto pixel = view().sample_at(input, inside(at))) put(*pixel, brush_);
    }
  } else if (const auto last = view().sample_at(input, inside(to))) {
    const std::uint64_t first = view().sample_at(input, inside(from)).value_or(*last);
    const double end = view().sample_value(input, *last, inside(to)).value_or(0),
                 begin = first == *last ? end : view().sample_value(input, first, inside(from)).value_or(end);
    for (std::uint64_t j = std::min(first, *last); j <= std::max(first, *last); ++j) {
      const double t = first == *last ? 1 : (double(j) - double(first)) / (double(*last) - double(first));
      put(j, begin + t * (end - begin));
    }
  }
  if (!changed) return;
  live.answered = true;
  if (actions_.run_live) actions_.run_live(live.samples, true);
  touch();
}

void WindowControl::let_go_of_sample() {
  LiveSignal& live = state_.live;
  live.held.reset();
  live.low = live.high = 0;
  if (!live.answered) {
    live.samples.clear(), live.before.clear(), live.result.clear();
    live.wave = live.wave_before;
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
  if (live.held || (!live.changes && live.before.empty())) return;  // what is in hand is measured from what was before
  live.changes.reset();
  live.before.clear(), live.result_before.clear();
  touch();
}

}  // namespace twiddle
