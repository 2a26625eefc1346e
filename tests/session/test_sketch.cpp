// A signal drawn by hand: strokes, the file, and what mouse and keys do.
#include "viewer/input/sketch.h"

#include "traced.h"
#include "viewer/control/window_control.h"
#include "viewer/state/window_layout.h"

#include <doctest.h>

using namespace twiddle;

TEST_CASE("a stroke sets every sample that it passes, and those at the edges when it leaves") {
  Sketch sketch;
  sketch.samples.assign(8, 0);
  const Box box{100, 100, 80, 40};
  sketch.stroke(box, {105, 100}, {105, 100});
  CHECK(sketch.samples[0] == 1);
  CHECK(sketch.samples[1] == 0);
  // From bottom left to top right, in one go, drawn backwards.
  sketch.stroke(box, {175, 100}, {105, 140});
  for (std::size_t i = 0; i < 8; ++i) CHECK(sketch.samples[i] == doctest::Approx(-1 + 2 * static_cast<double>(i) / 7));
  sketch.stroke(box, {-500, -500}, {-400, -400});
  CHECK(sketch.samples[0] == 1);
  CHECK(sketch.samples[7] == 1);
  sketch.samples = {0.5f, -1};
  CHECK(sketch.csv() == "0.5\n-1\n");
  Sketch none;
  none.stroke(box, {0, 0}, {500, 500});
  CHECK(none.csv().empty());
}

TEST_CASE("the signal's field leads to the grid; Enter runs what was drawn") {
  Document document(traced("fft-radix2", 8));
  std::string csv, chosen;
  WindowActions actions;
  actions.run_again = [] {};
  actions.run_drawn = [&](const std::string& text) { csv = text; };
  actions.choose = [&](const std::string&, const std::string& entry) { chosen = entry; };
  WindowControl control(document, actions);
  for (ChoiceField& field : control.state().fields)
    if (field.name == "signal") field.entries = {{"ramp"}, {drawn_signal, tr("drawn by hand …")}};
  const auto click = [&](const std::string& command, std::uint64_t index, MarkKind kind = MarkKind::Choice) {
    MarkText mark;
    mark.mark.kind = kind;
    mark.mark.command = command;
    mark.mark.index = index;
    control.press(&mark, {1, 1});
    control.release({1, 1});
  };
  click("signal", 1);
  REQUIRE(control.state().sketch.open);
  CHECK(control.state().sketch.samples.size() == 8);
  CHECK(chosen.empty());

  const Box grid = sketch_box(control.state().width, control.state().height, window_layout(control.state()).scale);
  const Scene scene = window_scene(document, control.state());
  const Point left{grid.x + 2, grid.y + 2}, right{grid.right() - 2, grid.y + 2};
  const MarkText* mark = scene.hit(left);
  REQUIRE(mark);
  CHECK(mark->mark.command == "sketch");
  control.press(mark, left);
  control.drag(right);
  control.release(right);
  for (const float sample : control.state().sketch.samples) CHECK(sample > 0.95f);
  // Keys belong to the grid.
  control.key(parse_chord("Right").value());
  CHECK(control.state().cursor.step == 0);
  control.key(parse_chord("Enter").value());
  CHECK_FALSE(control.state().sketch.open);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 8);

  click("signal", 1);
  click("sketch-clear", 0, MarkKind::Command);
  for (const float sample : control.state().sketch.samples) CHECK(sample == 0);
  control.key(parse_chord("Escape").value());
  CHECK_FALSE(control.state().sketch.open);
  click("signal", 0);
  CHECK(chosen == "ramp");
}
