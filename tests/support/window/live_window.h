// A window whose samples are dragged, without a window: what is pressed, dragged and let go, and what is shown then.
#pragma once

#include "host_trace.h"
#include "synthetic_trace.h"
#include "tracer/replay/diff.h"
#include "viewer/live/live_run.h"
#include "viewer/panels/panels.h"
#include "viewer/session/window_content.h"
#include "viewer/state/window_layout.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace twiddle {

inline Request request_of(const std::string& algorithm, std::uint64_t n, const std::string& signal) {
  Request request;
  request.algorithm = algorithm, request.n = n, request.signal = signal;
  return request;
}

/// A window on a run on the host that can be run again, without a window.
struct LiveWindow {
  Document document;
  WindowOptions options;
  Remembered remembered;
  WindowControl control{document, {}};
  WindowContent content;

  explicit LiveWindow(const Request& request, Guide* guide = nullptr)
      : document(host_trace(request)),
        options(made_of(request, guide)),
        content(
            options, control, remembered, [] {}, [](const std::string&) {}) {
    WindowActions actions;
    content.add_actions(actions);
    control.set_actions(actions);
    content.begin(document);
  }

  Document& shown() { return control.document(); }
  LiveSignal& live() { return control.state().live; }

  /// Where a pixel of the picture is that can be dragged.
  Point pixel(std::uint64_t index) {
    const Scene scene = window_scene(shown(), control.state());
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && is_sample(scene.marks[static_cast<std::size_t>(shape.mark)].mark) &&
          scene.marks[static_cast<std::size_t>(shape.mark)].mark.index == index)
        return bounds(shape).centre();
    FAIL("no pixel ", index);
    return {};
  }
  /// Presses what is at a point of the window, and drags it there.
  void press(Point at) {
    const Scene scene = window_scene(shown(), control.state());
    const std::optional<MarkText> mark = control.under(scene, at);
    REQUIRE(mark);
    from = at;
    control.press(&*mark, at);
  }
  /// Where a slider's knob is at a value.
  Point slider(LiveWave::Slider which, double value) {
    const TraceInfo& info = shown().info();
    const SliderRange range = slider_range(
        which, live_width(info), traits(info.buffers[static_cast<std::size_t>(live_buffer(info))].type).floating);
    const WindowLayout layout = window_layout(control.state());
    const Box track = slider_track(layout.signal.w, layout.scale, which);
    return {layout.signal.x + track.x + track.w * static_cast<float>((value - range.low) / (range.high - range.low)),
            layout.signal.y + track.y};
  }
  /// While samples are in hand whose operations are not logged: the result is a fresh run's, bit by bit.
  void check_result(const Request& request) {
    REQUIRE_FALSE(live().result.empty());
    LivePlan plan(request, shown().info().expect.input);
    CHECK(numbers_in(plan.plan(), plan.result(live().samples), plan.plan().expect.output) == live().result);
  }

  /// Where a sample's handle is.
  Point handle(std::uint64_t sample) {
    const Scene scene = window_scene(shown(), control.state());
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && std::holds_alternative<CircleShape>(shape.geometry) &&
          is_sample(scene.marks[static_cast<std::size_t>(shape.mark)].mark) &&
          scene.marks[static_cast<std::size_t>(shape.mark)].mark.index == sample)
        return bounds(shape).centre();
    FAIL("no handle of sample ", sample);
    return {};
  }
  void take_hold(std::uint64_t sample) {
    from = handle(sample);
    const Scene scene = window_scene(shown(), control.state());
    const std::optional<MarkText> mark = control.under(scene, from);
    REQUIRE(mark);
    REQUIRE(is_sample(mark->mark));
    control.press(&*mark, from);
  }
  void drag(Point by) { control.drag({from.x + by.x, from.y + by.y}); }
  void let_go() {
    control.release(from);
    settle();
  }
  void settle() { twiddle::settle(content); }
  /// The shown run is, operation by operation, a fresh one with the samples at hand.
  void check_fresh(const Request& request) {
    const std::filesystem::path file = folder / ("fresh-" + std::to_string(++files) + ".csv");
    std::ofstream(file) << samples_csv(samples_at_hand(shown(), &live()));
    Request fresh = request;
    fresh.signal = file.string();
    const std::shared_ptr<const TraceSource> other = host_trace(fresh);
    const TraceDiff diff = diff_traces(shown().trace, other);
    CHECK(diff.same());
    CHECK(diff.compared == other->info().steps);
    Document there(other);
    for (int b = 0; b < static_cast<int>(other->info().buffers.size()); ++b)
      if (other->info().buffers[static_cast<std::size_t>(b)].space == Space::Global)
        CHECK(shown().replay->state_after(static_cast<int>(other->info().segments.size()) - 1)->bytes(b) ==
              there.replay->state_after(static_cast<int>(other->info().segments.size()) - 1)->bytes(b));
  }

  Point from;
  synthetic::Folder folder;
  int files = 0;

 private:
  static WindowOptions made_of(const Request& request, Guide* guide) {
    WindowOptions options;
    options.guide = guide;
    options.request = request;
    options.runtime = "host";
    options.devices = [] { return DeviceList{}; };
    options.run = [](const Request& asked, const std::string&, int, const Progress&) {
      return WindowOptions::Made{host_trace(asked), {}};
    };
    return options;
  }
};

}  // namespace twiddle
