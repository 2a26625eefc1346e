// The program itself on a display: what its window saves, runs beside and counts, done by mouse and keys.
#if TWIDDLE_HAVE_WINDOW

#include "viewer/control/window_control.h"
#include "viewer/frame/map_scene.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/window_layout.h"

#include "window/window_session.h"

#include <doctest.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

using namespace twiddle;
using namespace window_session;

namespace {

/// The window of a session without a display, to know where things are.
struct Twin {
  explicit Twin(const std::filesystem::path& trace, std::uint64_t step = 0) : document(TraceReader::open(trace)) {
    actions.twin = [](const std::string&) {};
    actions.save = [](const std::string&, const std::string&) {};
    control.emplace(document, actions);
    control->resize(1440, 900);
    control->seek(step);
  }
  /// Where a command's mark is hit.
  std::optional<Point> place(Command command, std::uint64_t index = 0) {
    const Scene scene = window_scene(document, control->state());
    const Mark wanted = command_mark(command, index);
    for (const Shape2D& shape : scene.shapes) {
      if (shape.mark < 0 || !(scene.marks[static_cast<std::size_t>(shape.mark)].mark == wanted)) continue;
      const Point at = bounds(shape).centre();
      if (const MarkText* hit = scene.hit(at); hit && hit->mark == wanted) return at;
    }
    return {};
  }
  /// Where the open menu has a command.
  std::optional<Point> entry(Command command) {
    const std::vector<MenuEntry>& entries = control->state().menu.entries;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].command == command) return place(Command::ChooseEntry, i);
    return {};
  }

  Document document;
  WindowActions actions;
  std::optional<WindowControl> control;
};

/// Saves by the menu under Share, as a file of this name, and waits for it.
void save_by_menu(const Session& window, Twin& twin, Command command, const std::filesystem::path& file) {
  window.does("key ctrl+e");
  CHECK(window.reaches([](const json& now) { return now["menu"] != ""; }));
  twin.control->command(Command::Share);
  const auto entry = twin.entry(command);
  twin.control->command(Command::Share);
  REQUIRE(entry);
  window.point(*entry);
  window.does("click 1");
  CHECK(window.reaches([](const json& now) { return now["typed"] != ""; }));
  window.does("key ctrl+a");
  window.does("type --delay 20 " + file.string());
  CHECK(window.reaches("typed", file.string()));
  window.does("key Return");
  CHECK(window.reaches("message", "Saved: " + file.string()));
  CHECK(std::filesystem::exists(file));
}

}  // namespace

TEST_CASE("Show the right twin runs it and shows it beside") {
  if (!can_drive_a_window()) return;
  Request request;
  request.algorithm = "gallery/stale-twiddle";
  const std::filesystem::path stale = traced_file(request);
  const TestFolder folder;
  std::filesystem::copy_file(stale, folder.file("stale.twd"));
  Session window(folder, {"view", "stale.twd", "--at", "start", "--runtime", "host"});
  window.does("key n");
  CHECK(window.reaches("side_tab", static_cast<int>(SideTab::Findings)));
  Twin twin(stale);
  twin.control->command(Command::NextFinding);
  const auto button = twin.place(Command::ShowTwin);
  REQUIRE(button);
  CHECK(window.reaches("beside_step", nullptr));
  window.point(*button);
  window.does("click 1");
  CHECK(window.reaches([](const json& now) { return now["beside_step"].is_number(); }));
  CHECK(window.state()["algorithm"] == "gallery/stale-twiddle");
}

TEST_CASE("a click in the map moves the view there") {
  if (!can_drive_a_window()) return;
  Request request;
  request.algorithm = "fft-radix2", request.n = 256, request.signal = "random:1";
  const std::filesystem::path file = traced_file(request);
  Session window(file, 100);
  Twin twin(file, 100);
  for (int i = 0; i < 3; ++i) {
    window.does("key z");
    twin.control->command(Command::ZoomIn);
  }
  CHECK(window.reaches("zoom", twin.control->state().viewport.zoom));
  const WindowState& state = twin.control->state();
  const WindowLayout layout = window_layout(state);
  const Box pane = map_box(state, layout);
  REQUIRE(pane.h > 0);
  const Point at{std::round(pane.x + pane.w / 2), std::round(pane.y + pane.h * 0.8f)};
  const Viewport there = map_viewport(state, layout, pane, {at.x - pane.x, at.y - pane.y});
  REQUIRE(there.centre_y != state.viewport.centre_y);
  window.point(at);
  window.does("click 1");
  CHECK(window.reaches(
      [&](const json& now) { return std::abs(now["centre"][1].get<double>() - there.centre_y) < 1e-6; }));
}

TEST_CASE("a handout and a film are saved from Share, the film from the first bookmark to the last") {
  if (!can_drive_a_window()) return;
  const std::filesystem::path trace = small_trace();
  const TestFolder folder;
  std::filesystem::copy_file(trace, folder.file("fft8.twd"));
  Session window(folder, {"view", "fft8.twd", "--at", "L3.S2.I1"});
  Twin twin(trace, window.state()["step"].get<std::uint64_t>());
  save_by_menu(window, twin, Command::SaveHandout, folder.file("page.html"));
  const std::string page = content_of(folder.file("page.html"));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.ends_with("</html>\n"));
  // It opens at the step that was shown, with what was below the stages.
  CHECK(page.find("\"opens\":" + std::to_string(window.state()["step"].get<int>())) != std::string::npos);
  CHECK(page.find("Sectors per access") != std::string::npos);

  if (!on_path("ffmpeg")) return;
  window.does("key F9");
  CHECK(window.reaches("bookmarks", 1));
  window.does("key Right");
  window.does("key F9");
  CHECK(window.reaches("bookmarks", 2));
  twin.control->command(Command::StepForward);
  save_by_menu(window, twin, Command::SaveFilm, folder.file("film.gif"));
  const std::string film = content_of(folder.file("film.gif"));
  CHECK(film.starts_with("GIF89a"));
  CHECK(static_cast<unsigned char>(film[6]) + 256 * static_cast<unsigned char>(film[7]) == 1280);
  // Nothing is left of what they were made from.
  for (const std::string& name : folder.names()) {
    CAPTURE(name);
    CHECK((name == "fft8.twd" || name == "page.html" || name == "film.gif"));
  }
}

TEST_CASE(
    "twiddle alone opens its window wherever its output goes; a lesson's run goes on without the lesson, and back") {
  if (!can_drive_a_window()) return;
  const TestFolder folder;
  {
    Session window(folder, {}, folder.file("out.txt"));
    CHECK(window.reaches("start", true));
    CHECK(content_of(folder.file("out.txt")).empty());
  }
  Session window(folder, {"lesson", "butterfly", "--runtime", "host"});
  CHECK(window.reaches("guided", true));
  CHECK(window.state()["can_run"] == false);
  const json step = window.state()["step"];
  window.does("key shift+F6");
  CHECK(window.reaches([](const json& now) { return now["guided"] == false && now["can_run"] == true; }));
  CHECK(window.state()["step"] == step);
  CHECK(window.state()["algorithm"] == "fft-radix2");
  window.does("key shift+F6");
  CHECK(window.reaches([](const json& now) { return now["guided"] == true && now["can_run"] == false; }));
  CHECK(window.state()["step"] == step);
  CHECK(window.state()["algorithm"] == "fft-radix2");
}

TEST_CASE("where an edit is in no file, closing its tab and opening a lesson ask first") {
  if (!can_drive_a_window()) return;
  const TestFolder folder;
  Session window(folder, {"view", "fft-radix2", "--n", "8", "--runtime", "host"});
  const auto edit = [&] {
    window.does("key e");
    CHECK(window.reaches("editing", true));
    window.does("key ctrl+End type --delay 20 '// the end'");
    CHECK(window.reaches("edited", true));
    window.does("key ctrl+Return");
    CHECK(window.reaches([](const json& now) { return now["running"] == false && now["runs"].is_object(); }));
    window.does("key Escape");
    CHECK(window.reaches("editing", false));
  };
  edit();
  const auto tabs = [](std::size_t count) {
    return [count](const json& now) {
      return count < 2 ? now["runs"].is_null() : now["runs"].is_object() && now["runs"]["tabs"].size() == count;
    };
  };
  CHECK(window.reaches(tabs(2)));
  window.does("key ctrl+w");
  CHECK(window.reaches([](const json& now) {
    return now["message"].get<std::string>().starts_with("What was edited in this run is in no file yet");
  }));
  CHECK(tabs(2)(window.state()));
  window.does("key ctrl+w");
  CHECK(window.reaches(tabs(1)));
  // What was dropped is not asked about again.
  window.does("key F6");
  CHECK(window.reaches("guided", true));
  window.does("key shift+F6");
  CHECK(window.reaches([](const json& now) { return now["guided"] == false && now["can_run"] == true; }));
  edit();
  window.does("key F6");
  CHECK(window.reaches([](const json& now) {
    return now["message"].get<std::string>().starts_with("What was edited is in no file yet");
  }));
  CHECK(window.state()["guided"] == false);
  window.does("key F6");
  CHECK(window.reaches("guided", true));
}

TEST_CASE("while a question is open on a slide, 1 to 4 are votes, and Space shows the answer") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 7);
  window.does("key F5 key q");
  CHECK(window.reaches([](const json& now) { return now["presenting"] == true && now["predict"] == "asking"; }));
  window.does("key 1 key 2 key 2 key 4");
  CHECK(window.reaches("votes", json::array({1, 2, 0, 1})));
  window.does("key space");
  CHECK(window.reaches("predict", "answered"));
  CHECK(window.state()["step"] == 8);
}

#endif
