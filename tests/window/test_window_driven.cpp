// The real window, driven by mouse and keys: slides with pen, laser and spotlight, borders of panes, zoom, findings, and a scrub
// bar that is zoomed and dragged over.
#if TWIDDLE_HAVE_WINDOW

#include "viewer/control/window_control.h"
#include "viewer/document/strokes.h"
#include "viewer/facts/findings.h"
#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"

#include "window/window_session.h"

#include <doctest.h>

#include <filesystem>
#include <optional>
#include <string>

using namespace twiddle;
using namespace window_session;

namespace {

/// Where a command's mark is hit in the window that this control shows.
std::optional<Point> place_of_command(WindowControl& control, Command command) {
  const Scene scene = window_scene(control.document(), control.state());
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0 || scene.marks[static_cast<std::size_t>(shape.mark)].mark.command != name_of(command)) continue;
    const Point at = bounds(shape).centre();
    if (const MarkText* hit = scene.hit(at); hit && hit->mark.command == name_of(command)) return at;
  }
  return {};
}

/// A press, a way in steps and a release.
void drag_between(const Session& window, Point from, Point to) {
  window.point(from);
  window.does("mousedown 1");
  for (int i = 1; i <= 4; ++i) {
    const float part = static_cast<float>(i) / 4;
    window.point({from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part});
  }
  window.does("mouseup 1");
}

}  // namespace

TEST_CASE("on a slide the pen draws, Ctrl+Z takes it back, laser and spotlight come and go, and Escape ends it") {
  if (!can_drive_a_window()) return;
  const synthetic::Folder folder;  // strokes are kept beside the trace
  std::filesystem::copy_file(small_trace(), folder / "slide.twd");
  Session window(folder / "slide.twd", 8);
  window.does("key F5");
  CHECK(window.reaches([](const json& now) { return now["presenting"] == true && now["theme"] == "projector"; }));
  window.does("key p");
  CHECK(window.reaches("tool", static_cast<int>(Presentation::Tool::Pen)));
  drag_between(window, {500, 300}, {700, 420});
  CHECK(window.reaches("strokes", 1));
  CHECK(std::filesystem::exists(strokes_file(folder / "slide.twd")));
  window.does("key ctrl+z");
  CHECK(window.reaches("strokes", 0));
  window.does("key shift+p");
  CHECK(window.reaches("tool", static_cast<int>(Presentation::Tool::Laser)));
  window.does("key s");
  CHECK(window.reaches("spotlight", true));
  // The remote's keys turn pages of lessons alone, and the step goes on as ever.
  window.does("key Next key Right");
  CHECK(window.reaches("step", 9));
  for (const char* gone : {"tool", "spotlight", "presenting"}) {
    window.does("key Escape");
    CHECK(window.reaches([&](const json& now) { return now[gone] == 0 || now[gone] == false; }));
  }
  CHECK(window.reaches("theme", "light"));
}

TEST_CASE("borders are dragged in the real window, a double click gives the usual size, and the diagram is zoomed") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  WindowState state;
  const WindowLayout layout = window_layout(state);
  const auto right = static_cast<std::size_t>(PaneBorder::Right);
  const Point border{layout.right.x, layout.right.centre().y};
  const Point wider{border.x - 120, border.y};
  drag_between(window, border, wider);
  CHECK(window.reaches([&](const json& now) { return now["panes"][right] > 0.3; }));
  window.point(wider);
  window.does("click --repeat 2 --delay 60 1");
  CHECK(window.reaches([&](const json& now) { return now["panes"][right] == 0; }));
  window.does("key z key z");
  CHECK(window.reaches([](const json& now) { return now["zoom"] > 1.5; }));
  window.does("key 0");
  CHECK(window.reaches("zoom", 1.0));
}

TEST_CASE("N opens the findings in the real window, and Go to it goes there") {
  if (!can_drive_a_window()) return;
  Request request;
  request.algorithm = "gallery/stale-twiddle";
  const std::filesystem::path stale = traced_file(request);
  Session window(stale, 0);
  window.does("key n");
  CHECK(window.reaches("side_tab", static_cast<int>(SideTab::Findings)));
  CHECK(window.reaches([](const json& now) { return now["step"] > 0; }));
  const auto step = window.state()["step"].get<std::uint64_t>();
  // The same window without a display, to know where the button is.
  Document document(TraceReader::open(stale));
  WindowControl control(document, {});
  control.resize(1440, 900);
  control.command(Command::NextFinding);
  const auto button = place_of_command(control, Command::GoToFinding);
  REQUIRE(button);
  window.does("key Home");
  CHECK(window.reaches("step", 0));
  window.point(*button);
  window.does("click 1");
  CHECK(window.reaches("step", step));
}

TEST_CASE("the scrub bar of a long trace is zoomed by the wheel, and Shift takes a range that Escape lets go") {
  if (!can_drive_a_window()) return;
  Request request;
  request.algorithm = "fft-radix2", request.n = 1024, request.signal = "random:1";
  const std::filesystem::path file = traced_file(request);
  Session window(file, 100);
  WindowState state;
  const WindowLayout layout = window_layout(state);
  Document document(TraceReader::open(file));
  const ScrubBar bar = scrub_bar(document.info(), layout.scrub.w, layout.scrub.h, layout.scale);
  const auto on_bar = [&](std::uint64_t step) {
    return Point{layout.scrub.x + bar.cell(step).centre().x, layout.scrub.y + bar.cell(step).centre().y};
  };
  window.does("keydown shift");
  drag_between(window, on_bar(1500), on_bar(3000));
  window.does("keyup shift");
  CHECK(window.reaches([](const json& now) {
    return now["range"].is_array() && now["range"][1].get<int>() > now["range"][0].get<int>() + 500;
  }));
  window.does("key Escape");
  CHECK(window.reaches([](const json& now) { return now["range"].is_null(); }));
  window.point(on_bar(2000));
  window.does("click 4 click 4");
  CHECK(window.reaches([](const json& now) { return now["scrub_zoom"] > 2; }));
  window.does("click 5 click 5 click 5");
  CHECK(window.reaches("scrub_zoom", 1.0));
}

#endif
