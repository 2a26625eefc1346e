// Stepping by sub-groups: what keys do to the cursor, what is drawn, and the real window under Xvfb.
#include "tracer/file/trace_file.h"
#include "viewer/control/window_control.h"
#include "viewer/document/turn.h"
#include "window/press_key.h"

#include "scene_texts.h"
#include "traced.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#if TWIDDLE_HAVE_WINDOW
#include "window/window_session.h"
#endif

using namespace twiddle;

namespace {

std::string position(WindowControl& control) { return position_text(control.document(), control.state().cursor); }

}  // namespace

TEST_CASE("U changes what a step is, and all lanes of a sub-group move together") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.seek(find_step(*document.trace, "S1") - 1);
  const std::uint64_t before = control.state().cursor.step;
  press_key(control, "Right");
  CHECK(control.state().cursor.step == before + 1);  // an operation of a work-item, as ever
  press_key(control, "Left");
  press_key(control, "U");
  CHECK(control.state().step_by == StepBy::SubGroup);
  for (const char* wanted : {"L2.S1.G0.T1", "L2.S1.G0.T2", "L2.S1.G0.T3", "L2.S1.G0.T4", "L3.S2.G0.T1"}) {
    press_key(control, "Right");
    CHECK(position(control) == wanted);
  }
  for (const char* wanted : {"L2.S1.G0.T4", "L2.S1.G0.T3"}) {
    press_key(control, "Left");
    CHECK(position(control) == wanted);
  }
  const Turn* turn = turn_at(document, control.state().cursor);
  REQUIRE(turn);
  CHECK(turn->operations.size() == 4);
  // Stages, and work-items again.
  press_key(control, "U");
  CHECK_FALSE(control.state().cursor.lockstep);
  press_key(control, "Right");
  CHECK(control.state().cursor.step == before + 8);  // from the stage that it is in the middle of
  press_key(control, "Right");
  CHECK(control.state().cursor.step == before + 12);
  press_key(control, "U");
  CHECK(control.state().step_by == StepBy::Item);
}

TEST_CASE(
    "where nobody chose, a step is a turn if a run's groups have several work-items, and an operation if they have "
    "one") {
  Document groups(traced("fft-radix2", 8));
  WindowControl control(groups, {});
  control.state().step_by_fits = true;
  control.fit_step_by();
  CHECK(control.state().step_by == StepBy::SubGroup);
  press_key(control, "Right");
  CHECK(position(control) == "L1.G0.T1");
  Request alone;
  alone.algorithm = "fft-radix2", alone.n = 8, alone.signal = "random:77", alone.group_size = 1;
  Document single(TraceReader::open(traced_file(alone)));
  control.show(single);
  CHECK(control.state().step_by == StepBy::Item);
  control.show(groups);
  CHECK(control.state().step_by == StepBy::SubGroup);
  // What the user chooses stays.
  press_key(control, "U");
  CHECK(control.state().step_by == StepBy::Stage);
  CHECK(control.state().step_by_chosen);
  control.show(single);
  CHECK(control.state().step_by == StepBy::Stage);
}

TEST_CASE("in the middle of a turn the history has nothing of what is still to be written") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  document.flow().begin_frame(0, 1e9);
  WindowState& state = control.state();
  state.step_by = StepBy::SubGroup;
  state.watch.history = true;
  state.watch.buffer = document.info().buffer_named("F"), state.watch.index = 0;
  // How many values the list says: a write, and the reads after it that show.
  const auto values = [&](const char* turn) {
    control.go_to(turn);
    const Scene scene = window_scene(document, control.state());
    const WindowLayout layout = window_layout(control.state());
    Box pane = layout.items;
    pane.w += layout.memory.w;
    int known = 0, unknown = 0;
    for (const Shape2D& shape : scene.shapes) {
      const auto* text = std::get_if<TextShape>(&shape.geometry);
      if (!text || !pane.contains(text->at)) continue;
      known += text->text.starts_with("(");
      unknown += text->text == "·";
    }
    CHECK(known + unknown > 0);
    return std::pair(known, unknown);
  };
  const auto [before, to_come] = values("L3.S2.G0.T2");
  const auto [after, still] = values("L3.S2.G0.T4");
  CHECK(after == before + 1);
  CHECK(still == to_come - 1);
}

TEST_CASE("a turn's place is gone to by its name, and playing shows every turn to the last") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.go_to("L3.S2.G0.T2");
  CHECK(control.state().step_by == StepBy::SubGroup);
  CHECK(position(control) == "L3.S2.G0.T2");
  press_key(control, "Space");
  std::set<std::string> seen;
  for (int i = 0; i < 400 && control.playback().playing(); ++i) {
    seen.insert(position(control));
    control.advance(0.1);
  }
  CHECK_FALSE(control.playback().playing());
  CHECK(position(control) == "L4.S3.G0.T4");
  for (const char* wanted : {"L3.S2.G0.T3", "L3.S2.G0.T4", "L4.S3.G0.T1", "L4.S3.G0.T2", "L4.S3.G0.T3"})
    CHECK(seen.count(wanted) == 1);
}

TEST_CASE("while something is asked, a step is an operation") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  press_key(control, "U");
  press_key(control, "Q");
  CHECK_FALSE(control.state().cursor.lockstep);
  press_key(control, "Right");
  CHECK(control.state().cursor.step == 1);
  press_key(control, "Escape");
  control.touch();
  press_key(control, "Right");
  CHECK(control.state().cursor.lockstep);
}

TEST_CASE("what a turn has not written is to come, in the diagram and in words") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  const auto label_of = [&](std::uint64_t index) {
    const Scene scene = window_scene(document, control.state());
    const int segment = static_cast<int>(document.replay->segment_of(control.state().cursor.step));
    const int buffer = document.info().segments[static_cast<std::size_t>(segment)].write_buffer;
    for (const MarkText& mark : scene.marks)
      if (mark.mark == element_mark(buffer, segment, index) && mark.label.find("after") != std::string::npos)
        return mark.label;
    return std::string();
  };
  control.go_to("L3.S2.G0.T2");
  for (std::uint64_t index = 0; index < 8; ++index) CHECK(label_of(index).find("pending") != std::string::npos);
  // The first write of all four butterflies: rows 0, 1, 4 and 5.
  press_key(control, "Right");
  for (std::uint64_t index = 0; index < 8; ++index)
    CHECK((label_of(index).find("pending") != std::string::npos) == (index % 4 >= 2));
  press_key(control, "Right");
  for (std::uint64_t index = 0; index < 8; ++index) CHECK(label_of(index).find("pending") == std::string::npos);
}

TEST_CASE("a turn moves all its lanes together, later bank passes behind the first, and then keeps still") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.resize(1440, 900);
  control.state().tab = "butterfly";
  control.go_to("L3.S2.G0.T1");
  const auto yellow = [&] {  // length of the wires of now
    double length = 0;
    const Scene scene = view_of(document, "butterfly").draw(diagram_input(document, control.state()));
    for (const Shape2D& shape : scene.shapes)
      if (const auto* line = std::get_if<LineShape>(&shape.geometry); line && shape.layer == layer::now)
        for (std::size_t i = 1; i < line->points.size(); ++i)
          length += std::hypot(double(line->points[i].x - line->points[i - 1].x),
                               double(line->points[i].y - line->points[i - 1].y));
    return length;
  };
  const double before = yellow();
  press_key(control, "Right");  // b is read
  const double begun = yellow();
  control.advance(0.09);
  const double middle = yellow();
  control.advance(1);
  const double after = yellow();
  CHECK(begun < middle);
  CHECK(middle < after);
  CHECK(after >= before);
  CHECK_FALSE(control.playback().moving());
  // With less motion it is finished at once.
  control.set_reduced_motion(true);
  press_key(control, "Left");
  press_key(control, "Right");
  CHECK(yellow() == doctest::Approx(after));
}

TEST_CASE("beside the source is what each line cost over the whole run") {
  Document document(traced("fft-radix2-local", 16));
  WindowControl control(document, {});
  control.go_to("S2.G0.T2");
  for (const ThemeName name : {ThemeName::Light, ThemeName::Dark})
    for (const float width : {1440.0f, 1920.0f, 2560.0f}) {
      control.resize(width, width * 9 / 16 + 90);
      control.state().theme = name;
      const Scene scene = window_scene(document, control.state());
      for (const char* words : {"runs", "lanes", "sectors", "passes", "8/32"}) CHECK(shows(scene, words));
      CHECK(text_faults(scene).empty());
    }
  // Not outside lockstep, and not where there is no room for it.
  control.resize(1024, 640);
  CHECK_FALSE(shows(window_scene(document, control.state()), "8/32"));
  control.resize(1440, 900);
  press_key(control, "U");
  press_key(control, "U");
  CHECK_FALSE(shows(window_scene(document, control.state()), "8/32"));
}

TEST_CASE("the panes say the turn: its lanes, who is masked, banks and sectors") {
  WindowState state;
  state.cursor.lockstep = true;
  {
    Document document(traced("fft-radix2", 8));
    const TurnPlace place = find_turn(*document.trace, "L3.S2.G0.T2");
    state.cursor.step = place.step, state.cursor.made = place.made;
    const Scene scene = window_scene(document, state);
    CHECK(shows(scene, "Sub-group 0, turn 2 of 4"));
    CHECK(shows(scene, "turn 2 of 4"));
    CHECK(shows(scene, "4 butterflies at once"));
    CHECK(shows(scene, "28 masked: no item"));
    CHECK(shows(scene, "Memory in this turn"));
    CHECK(shows(scene, "fetched, not used"));
    CHECK_FALSE(shows(scene, "^"));  // twiddles are typeset in the table, too
  }
  {
    Document document(traced("reduce-interleaved", 64));
    const TurnPlace place = find_turn(*document.trace, "S2.G0.T1");
    state.cursor.step = place.step, state.cursor.made = place.made;
    CHECK(shows(window_scene(document, state), "24 masked: guard is false"));
  }
  {
    // A column of a tile: all lanes in one bank, as the check says.
    Request request;
    request.algorithm = "gallery/bank-conflict";
    Document document(TraceReader::open(traced_file(request)));
    Replay& replay = *document.replay;
    int worst = 0;
    for (TurnPlace at = next_turn(replay, {}), before; at != before; before = at, at = next_turn(replay, at)) {
      state.cursor.step = at.step, state.cursor.made = at.made;
      const Turn* turn = turn_at(document, state.cursor);
      REQUIRE(turn);
      if (turn->cost.banks.degree() <= worst) continue;
      worst = turn->cost.banks.degree();
      // Each pass serves a lane, and every bank serves a word a pass.
      std::set<std::pair<int, std::uint64_t>> served;
      for (const Operation& one : turn->operations) {
        const Access& access = access_in(one, turn->access);
        const int bank = bank_of(document.info().buffers[static_cast<std::size_t>(turn->buffer)], access.index);
        served.insert({turn->cost.banks.pass[turn->lane(one)] * 64 + bank, access.index});
      }
      std::set<int> slots;
      for (const auto& [slot, index] : served) CHECK(slots.insert(slot).second);
      if (worst < 32) continue;
      const Scene scene = window_scene(document, state);
      CHECK(shows(scene, "32 passes"));
      CHECK(shows(scene, "no lane is masked"));
    }
    CHECK(worst == 32);
  }
}

#if TWIDDLE_HAVE_WINDOW

TEST_CASE("U and the words under the transport in the real window; what was chosen is there again") {
  using namespace window_session;
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 0);
  CHECK(window.reaches("step_by", "work-item"));
  window.does("key u");
  CHECK(window.reaches("step_by", "sub-group"));
  window.does("key Right");
  CHECK(window.reaches("position", "L1.G0.T1"));
  window.does("key shift+Right");
  CHECK(window.reaches("step", 6));
  window.does("key Right");
  CHECK(window.reaches("position", "L3.S2.G0.T1"));
  window.does("key Right");
  CHECK(window.reaches("position", "L3.S2.G0.T2"));
  window.does("key Left");
  CHECK(window.reaches("position", "L3.S2.G0.T1"));
  // The word for stages, clicked.
  Document document(TraceReader::open(small_trace()));
  WindowState state;
  const Scene scene = window_scene(document, state);
  for (const Shape2D& shape : scene.shapes)
    if (shape.mark >= 0 && scene.marks[shape.mark].mark.command == "set-step-by" &&
        scene.marks[shape.mark].mark.index == 2) {
      window.point(bounds(shape).centre());
      break;
    }
  window.does("click 1");
  CHECK(window.reaches("step_by", "stage"));
  window.does("key Right");
  CHECK(window.reaches("step", 14));
}

TEST_CASE("a window that nobody used before steps as a warp does, and shows an operation that is asked for") {
  using namespace window_session;
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 0, as_installed);
  CHECK(window.reaches("step_by", "sub-group"));
  window.does("key Right");
  CHECK(window.reaches("position", "L1.G0.T1"));
  Session at(small_trace(), 5, as_installed);
  CHECK(at.reaches("step_by", "work-item"));
}

#endif
