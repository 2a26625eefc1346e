// What the user watches in the window: the history of an element, and conditions to stop at.
#include "scene_texts.h"
#include "traced.h"
#include "viewer/compare/comparison.h"
#include "viewer/control/window_control.h"
#include "viewer/state/window_layout.h"

#include <doctest.h>

#include <array>
#include <set>
#include <string>

using namespace twiddle;

namespace {

std::set<std::string> texts(const Scene& scene) {
  std::set<std::string> all;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all.insert(text->text);
  return all;
}

void type(WindowControl& control, const char* text) {
  control.key({"C"});
  REQUIRE(control.state().text_entry.kind == TextEntry::Kind::Stop);
  control.enter(text);
}

}  // namespace

TEST_CASE("Ctrl+H lists who touched an element, a click on a row goes there, and values to come are not shown") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  const int f = document.info().buffer_named("F");
  control.command(Command::History);
  CHECK_FALSE(control.state().watch.history);  // nothing is pointed at before the first step
  control.seek(8);
  control.state().cursor.pinned = element_mark(f, 2, 5);
  control.key({"H", true});
  REQUIRE(control.state().watch.history);
  CHECK(control.state().watch.index == 5);
  const Scene scene = window_scene(document, control.state());
  CHECK(texts(scene).contains("History of F[5]"));
  CHECK(texts(scene).contains("3 writes, 2 reads"));
  CHECK(texts(scene).contains("·"));
  // F[5] is written in step 10 (launch 3) and in step 12 (launch 4).
  for (const MarkText& mark : scene.marks)
    if (mark.mark.kind == MarkKind::Item && mark.mark.step == 12 && mark.label == "step 12") {
      control.press(&mark, {600, 700});
      control.release({600, 700});
      break;
    }
  CHECK(control.state().cursor.step == 12);
  control.state().cursor.pinned.reset();
  control.key({"Escape"});
  CHECK_FALSE(control.state().watch.history);
}

TEST_CASE("conditions are typed, shown as ticks, and play and the keys stop at them") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.key({"Right", true});
  CHECK(control.state().message.find("C sets one") != std::string::npos);
  type(control, "F[5] written");
  REQUIRE(control.state().watch.stops.size() == 1);
  CHECK_FALSE(control.state().typing());
  type(control, "F[99]");
  CHECK(control.state().text_entry.error.find("8 elements") != std::string::npos);
  control.key({"Escape"});
  const std::array<std::uint64_t, 3> written{5, 10, 12};
  for (const std::uint64_t step : written) {
    control.key({"Right", true});
    CHECK(control.state().cursor.step == step);
  }
  control.key({"Right", true});
  CHECK(control.state().cursor.step == 12);
  CHECK_FALSE(control.state().message.empty());
  control.key({"Left", true});
  CHECK(control.state().cursor.step == 10);
  control.key({"Home"});
  control.key({"Space"});
  for (int frame = 0; frame < 2000 && control.playback().playing(); ++frame) control.advance(0.02);
  CHECK(control.state().cursor.step == 5);
  // Off, it does not stop; removed, it is gone.
  control.command(Command::SwitchStop, 0);
  control.key({"Space"});
  for (int frame = 0; frame < 2000 && control.playback().playing(); ++frame) control.advance(0.02);
  CHECK(control.state().cursor.step == document.info().steps);
  control.command(Command::RemoveStop, 0);
  CHECK(control.state().watch.stops.empty());
}

TEST_CASE("a click on a line that logs makes its steps ticks, and a second one takes them away") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.resize(1440, 900);
  control.seek(document.info().steps);
  const int line = document.replay->operation(document.info().steps).line;
  const auto click_line = [&](int number) {
    control.advance(1);  // no double click
    const Scene scene = window_scene(document, control.state());
    for (const MarkText& mark : scene.marks)
      if (mark.mark.kind == MarkKind::Line && mark.mark.index == static_cast<std::uint64_t>(number)) {
        control.press(&mark, {1300, 700});
        control.release({1300, 700});
        return true;
      }
    return false;
  };
  REQUIRE(click_line(line));
  REQUIRE(control.state().watch.stops.size() == 1);
  CHECK(control.state().watch.stops[0].kind == StopCondition::Kind::Line);
  CHECK(control.state().cursor.pinned);
  CHECK_FALSE(control.state().message.empty());
  control.key({"Home"});
  static_cast<void>(window_scene(document, control.state()));  // frames look for hits
  control.key({"Right", true});
  REQUIRE(control.state().cursor.step > 0);
  CHECK(document.replay->operation(control.state().cursor.step).line == line);
  REQUIRE(click_line(line));
  CHECK(control.state().watch.stops.empty());
  CHECK_FALSE(control.state().cursor.pinned);
  // A line that logs nothing is only pinned.
  REQUIRE(click_line(line + 1));
  CHECK(control.state().watch.stops.empty());
  CHECK(control.state().cursor.pinned);
}

TEST_CASE("where two traces part is a condition, too, and gone with the second") {
  Document right(traced("fft-radix2", 8)), wrong(traced("gallery/stale-twiddle", 8)), other(traced("fft-radix4", 16));
  WindowControl control(right, {});
  control.resize(1440, 900);
  type(control, "other trace");
  CHECK(control.state().text_entry.error.find("beside") != std::string::npos);
  control.key({"Escape"});
  const Comparison comparison(right, wrong);
  control.compare(comparison);
  control.state().patience_ms = 1e9;
  type(control, "other trace");
  type(control, "reference");
  REQUIRE(control.state().watch.stops.size() == 2);
  CHECK(text_faults(window_scene(right, control.state())).empty());
  const WindowLayout layout = window_layout(control.state());
  CHECK(layout.scrub.h > 84);  // a row each
  control.key({"Right", true});
  CHECK(control.state().cursor.step == 8);  // the first butterfly whose factor is not 1
  control.show(other);
  CHECK(control.state().watch.stops.size() == 1);
}

TEST_CASE("no text of the history and the conditions is cut or laid over another, at any size and theme") {
  Document document(traced("fft-radix2", 64, "random:1"));
  WindowControl control(document, {});
  control.seek(120);
  control.command(Command::History);
  for (const char* text : {"F[5]", "|x| > 1.5", "item 7", "reference"}) type(control, text);
  struct Size {
    float width, height;
  };
  for (const Size& size : {Size{1440, 900}, Size{1280, 720}, Size{1024, 640}, Size{2560, 1440}})
    for (const ThemeName theme : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
      control.resize(size.width, size.height);
      control.state().theme = theme;
      for (const std::string& fault : text_faults(window_scene(document, control.state()))) {
        CAPTURE(size.width);
        CAPTURE(name_of(theme));
        CAPTURE(fault);
        CHECK(fault.empty());
      }
    }
}
