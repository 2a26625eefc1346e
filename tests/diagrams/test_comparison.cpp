// Two traces side by side: which positions match, what is framed, and what the window shows of it.
#include "viewer/compare/comparison.h"
#include "viewer/compare/differences.h"

#include "scene_texts.h"
#include "test_support.h"
#include "traced.h"
#include "viewer/control/window_control.h"
#include "viewer/document/flow.h"
#include "viewer/frame/comparison_scene.h"

#include <doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace twiddle;

namespace {

std::size_t frames(const Scene& scene, const Box& pane) {
  return static_cast<std::size_t>(std::count_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
    return shape.stroke.role == Role::Error && std::holds_alternative<BoxShape>(shape.geometry) &&
           pane.contains(bounds(shape).centre());
  }));
}

}  // namespace

TEST_CASE("two runs of one algorithm go step by step, there and back") {
  Document first(traced("fft-radix2", 16, "random:1")), second(traced("fft-radix2", 16, "ramp"));
  const Comparison comparison(first, second);
  CHECK(comparison.alike());
  CHECK(comparison.comparable());
  for (std::uint64_t step = 0; step <= first.info().steps; ++step) {
    CHECK(comparison.second_step(step) == step);
    CHECK(comparison.first_step(step) == step);
  }
  CHECK(comparison.second_step(1000) == second.info().steps);
}

TEST_CASE("radix 2 and radix 4 meet where the same spans are merged") {
  Document two(traced("fft-radix2", 16)), four(traced("fft-radix4", 16));
  const Comparison comparison(two, four);
  CHECK_FALSE(comparison.alike());
  std::set<std::uint64_t> met;
  for (const Segment& a : two.info().segments)
    for (const Segment& b : four.info().segments)
      if (a.kind == OperationKind::Butterfly && b.kind == OperationKind::Butterfly && a.span == b.span) {
        met.insert(a.span);
        CHECK(comparison.second_step(a.end_step() - 1) == b.end_step() - 1);
        CHECK(comparison.first_step(b.end_step() - 1) == a.end_step() - 1);
      }
  CHECK(met == std::set<std::uint64_t>{4, 16});
  // Never backwards, and never past the end.
  std::uint64_t last = 0;
  for (std::uint64_t step = 0; step <= two.info().steps; ++step) {
    const std::uint64_t other = comparison.second_step(step);
    CHECK(other >= last);
    CHECK(other <= four.info().steps);
    last = other;
  }
  CHECK(last == four.info().steps);
}

TEST_CASE("the stages of two reductions keep pace, though other items do the work") {
  Document a(traced("reduce-interleaved", 16)), b(traced("reduce-sequential", 16));
  const Comparison comparison(a, b);
  CHECK(comparison.alike());
  CHECK_FALSE(comparison.comparable());  // they differ on purpose
  for (std::size_t s = 0; s < a.info().segments.size(); ++s) {
    const auto other = comparison.second_segment(static_cast<int>(s));
    if (!other) continue;
    CHECK(comparison.second_step(a.info().segments[s].end_step() - 1) == b.info().segments[*other].end_step() - 1);
  }
}

TEST_CASE("what the two hold differently is framed on both sides, and where they part is noted") {
  Document right(traced("fft-radix2", 8, "ramp")), other(traced("fft-radix2", 8, "impulse"));
  const Comparison comparison(right, other);
  WindowState state;
  state.cursor.step = 8;
  state.beside = &comparison;
  state.tab = "butterfly";
  const WindowLayout layout = window_layout(state);
  const Scene scene = window_scene(right, state);
  CHECK(frames(scene, layout.halves[0]) > 0);
  CHECK(frames(scene, layout.halves[0]) == frames(scene, layout.halves[1]));
  const DifferenceOptions sides{Wording::LeftAndRight, Comparison::ulps};
  const auto notes = differences_between(right.trace, other.trace, sides);
  REQUIRE(notes.size() > 1);
  CHECK(contains(notes.front().text, "differ"));
  CHECK(contains(notes[1].text, "left"));

  // The same run twice: nothing is framed, nothing is noted.
  Document again(traced("fft-radix2", 8, "ramp"));
  const Comparison same(right, again);
  state.beside = &same;
  CHECK(frames(window_scene(right, state), layout.halves[0]) == 0);
  CHECK(differences_between(right.trace, again.trace, sides).empty());
}

TEST_CASE("hovering a mark in one half lights the same one in the other") {
  Document left(traced("fft-radix2", 8, "ramp")), right(traced("fft-radix2", 8, "impulse"));
  const Comparison comparison(left, right);
  WindowState state;
  state.cursor.step = 8;
  state.beside = &comparison;
  const WindowLayout layout = window_layout(state);
  const auto lit = [&](const Box& pane) {
    const Scene scene = window_scene(left, state);
    return std::count_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
      return shape.stroke.role == Role::Hover && pane.contains(bounds(shape).centre());
    });
  };
  CHECK(lit(layout.halves[0]) == 0);
  for (const int side : {0, 1}) {
    Mark mark{.kind = MarkKind::Element, .buffer = 1, .segment = 1, .index = 3};
    mark.side = side;
    state.cursor.hover = mark;
    CHECK(lit(layout.halves[0]) > 0);
    CHECK(lit(layout.halves[1]) > 0);
  }
  // A mark that the other trace has not.
  Document four(traced("fft-radix4", 16));
  const Comparison unlike(left, four);
  Mark element{.kind = MarkKind::Element, .buffer = 1, .segment = 1, .index = 3};
  CHECK_FALSE(unlike.counterpart(element));
}

TEST_CASE("a click on the right half goes to the step on the left") {
  Document two(traced("fft-radix2", 16)), four(traced("fft-radix4", 16));
  const Comparison comparison(two, four);
  WindowControl control(two, {});
  control.compare(comparison);
  MarkText mark;
  mark.mark.kind = MarkKind::Launch;
  mark.mark.side = 1;
  mark.mark.step = four.info().steps;
  const Box half = window_layout(control.state()).halves[1];
  control.press(&mark, half.centre());
  control.release(half.centre());
  CHECK(control.state().cursor.step == two.info().steps);
  control.wheel(half.centre(), 3, false);
  CHECK(control.state().viewport.zoom > 1);
  control.show(four);
  CHECK(control.state().beside == nullptr);
}

TEST_CASE("side by side no text overlaps another or leaves its pane, in any theme, at any size") {
  Document left(traced("fft-radix2", 8, "ramp")), right(traced("fft-radix4", 16)),
      same(traced("fft-radix2", 8, "impulse"));
  for (Document* other : {&right, &same}) {
    const Comparison comparison(left, *other);
    for (const auto& [width, height] :
         {std::pair{640.0f, 480.0f}, {1024.0f, 640.0f}, {1440.0f, 900.0f}, {2560.0f, 1440.0f}})
      for (const ThemeName name : {ThemeName::Light, ThemeName::Projector})
        for (const bool presenting : {false, true}) {
          WindowState state;
          state.width = width, state.height = height, state.theme = name, state.presenting = presenting;
          state.cursor.step = 8;
          state.beside = &comparison;
          for (const std::string& fault : text_faults(window_scene(left, state))) {
            CAPTURE(state.width);
            CAPTURE(presenting);
            CAPTURE(name_of(name));
            CAPTURE(fault);
            CHECK(fault.empty());
          }
        }
  }
}
