// The real window, under Xvfb, driven by xdotool like a person would, read back through its log of states.
#if TWIDDLE_HAVE_WINDOW

#include "tracer/file/trace_file.h"
#include "window/window_session.h"

#include "viewer/frame/window_scene.h"
#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

using namespace window_session;

namespace {

// Where a mark is in the window as it opens.
Point place_of(std::uint64_t step, const std::function<bool(const Mark&)>& wanted) {
  Document document(TraceReader::open(small_trace()));
  WindowState state;
  state.cursor.step = step;
  const Scene scene = window_scene(document, state);
  for (const Shape2D& shape : scene.shapes)
    if (shape.mark >= 0 && wanted(scene.marks[shape.mark].mark)) {
      const Point at = bounds(shape).centre();
      const MarkText* hit = scene.hit(at);
      if (hit && wanted(hit->mark)) return at;
    }
  FAIL("the scene has no such mark");
  return {};
}

std::string output_of(const std::string& command) {
  std::string text;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
    pclose(pipe);
  }
  return text;
}

}  // namespace

TEST_CASE("every playback key works in the real window") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  CHECK(window.reaches("position", "L3.S2.I1"));
  const std::pair<const char*, int> steps[] = {{"Right", 9},        {"Left", 8},        {"shift+Right", 10},
                                               {"shift+Right", 14}, {"shift+Left", 10}, {"Home", 0},
                                               {"End", 14},         {"Left", 13}};
  for (const auto& [key, step] : steps) {
    CAPTURE(key);
    window.does(std::string("key ") + key);
    CHECK(window.reaches("step", step));
  }
  window.does("key plus");
  CHECK(window.reaches("speed", 2.0));
  window.does("key minus key minus");
  CHECK(window.reaches("speed", 0.5));
  window.does("key plus key plus key plus key plus");
  window.does("key Home key space");
  CHECK(window.reaches("playing", true));
  CHECK(window.reaches("step", 14));
  CHECK(window.reaches("playing", false));
  // A presenter's remote never does anything but lessons.
  window.does("key Home");
  CHECK(window.reaches("step", 0));
  window.does("key Next key Prior key Right");
  CHECK(window.reaches("step", 1));
}

TEST_CASE("keys that change what is shown, and Escape, which never quits") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  for (const char* theme : {"dark", "projector", "light"}) {
    window.does("key t");
    CHECK(window.reaches("theme", theme));
  }
  for (const char* key : {"question", "F1"}) {
    window.does(std::string("key ") + key);
    CHECK(window.reaches("help", true));
    window.does("key Escape");
    CHECK(window.reaches("help", false));
  }
  for (const char* key : {"b", "period"}) {
    window.does(std::string("key ") + key);
    CHECK(window.reaches("blank", true));
    window.does(std::string("key ") + key);
    CHECK(window.reaches("blank", false));
  }
  window.does("key h");
  CHECK(window.reaches("pointer_hidden", true));
  window.does("key h");
  CHECK(window.reaches("pointer_hidden", false));
  window.does("key ctrl+plus");
  CHECK(window.reaches([](const json& now) { return now["scale"] > 1.05; }));
  window.does("key ctrl+minus key ctrl+minus");
  CHECK(window.reaches([](const json& now) { return now["scale"] < 0.95; }));
  window.does("key ctrl+0");
  CHECK(window.reaches("scale", 1.0));
  window.does("key f");
  CHECK(window.reaches("fullscreen", true));
  CHECK(window.reaches("width", 1600.0));
  CHECK(window.state()["presenting"] == true);
  window.does("key Escape");
  CHECK(window.reaches("fullscreen", false));
  CHECK(window.reaches("width", 1440.0));
  window.does("key Escape key Escape");
  window.does("key End");
  CHECK(window.reaches("step", 14));
  CHECK(window.alive());
}

TEST_CASE("while a text field has the focus, keys belong to it") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 0);
  window.does("key g");
  CHECK(window.reaches("going_to", true));
  window.does("type --delay 30 t7");
  window.does("key Return");
  CHECK(window.reaches([](const json& now) { return !now["go_to_error"].get<std::string>().empty(); }));
  CHECK(window.state()["theme"] == "light");
  CHECK(window.state()["step"] == 0);
  window.does("key Escape");
  CHECK(window.reaches("going_to", false));
  window.does("key g");
  CHECK(window.reaches("going_to", true));
  window.does("type --delay 60 L3.S2.I1");
  window.does("key Return");
  CHECK(window.reaches("position", "L3.S2.I1"));
  CHECK(window.reaches("going_to", false));
  window.does("key F9");
  CHECK(window.reaches("bookmarks", 1));
  window.does("key Home key F2");
  CHECK(window.reaches("step", 8));
  window.does("key F9");
  CHECK(window.reaches("bookmarks", 0));
}

TEST_CASE("the mouse hovers, pins, presses buttons and drags the scrub bar") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  const auto row = [](const Mark& mark) { return mark.kind == MarkKind::Item && mark.step == 9; };
  window.point(place_of(8, row));
  CHECK(window.reaches([](const json& now) {
    return now["hover"].is_object() && now["hover"]["kind"] == "item" && now["hover"]["step"] == 9;
  }));
  CHECK(window.reaches("tooltip", true));
  window.does("click 1");
  CHECK(window.reaches("step", 9));

  window.point(place_of(9, [](const Mark& mark) { return mark.kind == MarkKind::Line; }));
  window.does("click 1");
  CHECK(window.reaches([](const json& now) { return now["pinned"].is_object() && now["pinned"]["kind"] == "line"; }));

  window.point(
      place_of(9, [](const Mark& mark) { return mark.kind == MarkKind::Command && mark.command == "step-forward"; }));
  window.does("click 1");
  CHECK(window.reaches("step", 10));

  WindowState state;
  const WindowLayout layout = window_layout(state);
  Document document(TraceReader::open(small_trace()));
  const ScrubBar bar = scrub_bar(document.info(), layout.scrub.w, layout.scrub.h, layout.scale);
  const auto on_bar = [&](std::uint64_t step) {
    return Point{layout.scrub.x + bar.cell(step).centre().x, layout.scrub.y + bar.cell(step).centre().y};
  };
  window.point(on_bar(2));
  window.does("mousedown 1");
  CHECK(window.reaches("step", 2));
  window.point(on_bar(12));
  CHECK(window.reaches("step", 12));
  window.point({5, 400});  // far off the bar, the drag still holds
  CHECK(window.reaches("step", 0));
  window.point(on_bar(5));
  window.does("mouseup 1");
  CHECK(window.reaches("step", 5));

  window.point(layout.diagram.centre());
  window.does("click 4 click 4");
  CHECK(window.reaches([](const json& now) { return now["zoom"] > 1.3; }));
  window.does("key 0");
  CHECK(window.reaches("zoom", 1.0));
  window.does("keydown ctrl click 4 keyup ctrl");
  CHECK(window.reaches([](const json& now) { return now["scale"] > 1.05; }));
}

TEST_CASE("what the pointer lit is dark again when it leaves the window, in the middle of a drag, too") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  const auto element = [](const Mark& mark) { return mark.kind == MarkKind::Element && mark.segment == 1; };
  const Point inside = place_of(8, element), outside{1560, 960};
  const auto lit = [](const json& now) { return now["hover"].is_object() && now["hover"]["kind"] == "element"; };
  const auto dark = [](const json& now) { return now["hover"].is_null() && now["tooltip"] == false; };
  window.point(inside);
  CHECK(window.reaches(lit));
  CHECK(window.reaches("tooltip", true));
  window.point(outside);
  CHECK(window.reaches(dark));
  window.point(inside);
  CHECK(window.reaches(lit));
  window.does("mousedown 1");
  window.point(outside);
  window.does("mouseup 1");
  CHECK(window.reaches(dark));
}

TEST_CASE("another trace is opened by its name, and is there again the next time") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 16;
  const std::string other = traced_file(request).string();
  window.does("key o");
  CHECK(window.reaches("opening", true));
  window.does("type --delay 20 /no/such.twd");
  window.does("key Return");
  CHECK(window.reaches([](const json& now) { return !now["go_to_error"].get<std::string>().empty(); }));
  CHECK(window.state()["steps"] == 14);
  window.does("key ctrl+a type --delay 20 " + other);
  window.does("key Return");
  CHECK(window.reaches("steps", 38));
  CHECK(window.reaches("opening", false));
  CHECK(window.remembers(other));
}

TEST_CASE("a text field has every letter that was typed, from the first on, and no other field's") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  // All keys at once, the one that opens the field among them.
  window.does("type --delay 1 gitem");
  CHECK(window.reaches("typed", "item"));
  CHECK(window.state()["going_to"] == true);
  window.does("key Escape key slash type --delay 1 radix");
  CHECK(window.reaches("typed", "radix"));
  CHECK(window.state()["palette"] == true);
  window.does("key Escape key shift+F9 type --delay 1 abc");
  CHECK(window.reaches("typed", "abc"));
  CHECK(window.state()["noting"] == true);
  window.does("key Escape type --delay 1 odef");
  CHECK(window.reaches("typed", "def"));
  window.does("key Escape type --delay 1 gnowhere");
  window.does("key Return");
  CHECK(window.reaches([](const json& now) { return !now["go_to_error"].get<std::string>().empty(); }));
  CHECK(window.state()["typed"] == "nowhere");
  window.does("key ctrl+a type --delay 1 end");
  window.does("key Return");
  CHECK(window.reaches("step", 14));
  CHECK(window.state()["theme"] == "light");
}

TEST_CASE("the palette, the menu and the right button in the real window; Tab reaches controls") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  window.does("key ctrl+k");
  CHECK(window.reaches("palette", true));
  window.does("type --delay 5 'theme: dark'");
  CHECK(window.reaches("theme", "dark"));
  window.does("key Escape");
  CHECK(window.reaches("theme", "light"));
  window.does("key ctrl+k type --delay 5 'theme: dark'");
  window.does("key Return");
  CHECK(window.reaches([](const json& now) { return now["theme"] == "dark" && now["palette"] == false; }));
  window.does("key slash type --delay 5 L4");
  window.does("key Return");
  CHECK(window.reaches("step", 11));
  window.does("key F10");
  CHECK(window.reaches("menu", "menu"));
  window.does("key Escape");
  CHECK(window.reaches("menu", ""));
  const Point row = place_of(11, [](const Mark& mark) { return mark.kind == MarkKind::Item && mark.step == 12; });
  window.point(row);
  CHECK(window.reaches([](const json& now) { return now["hover"].is_object() && now["hover"]["kind"] == "item"; }));
  window.does("click 3");
  CHECK(window.reaches("menu", "context"));
  window.does("key Down key Return");  // to the operation
  CHECK(window.reaches([](const json& now) { return now["menu"] == "" && now["step"] == 12; }));
  window.does("key Tab");
  CHECK(window.reaches([](const json& now) { return now["focus"].is_object(); }));
  const json first = window.state()["focus"];
  window.does("key Tab key shift+Tab");
  CHECK(window.reaches([&](const json& now) { return now["focus"] == first; }));
  window.does("key Escape");
  CHECK(window.reaches([](const json& now) { return now["focus"].is_null(); }));
}

TEST_CASE("what is copied in the real window is on the clipboard") {
  if (!can_drive_a_window()) return;
  if (!on_path("xclip")) {
    MESSAGE("skipped: xclip is not installed");
    return;
  }
  Session window(small_trace(), 8);
  window.does("key ctrl+l");
  CHECK(window.reaches([](const json& now) { return contains(now["message"].get<std::string>(), "twiddle view"); }));
  const std::string pasted = output_of("DISPLAY=" + window.display() + " timeout 10 xclip -o -selection clipboard");
  CHECK(contains(pasted, "--at L3.S2.I1"));
  window.does("key ctrl+shift+c");
  CHECK(window.reaches([](const json& now) { return contains(now["message"].get<std::string>(), "picture"); }));
  const std::string png =
      output_of("DISPLAY=" + window.display() + " timeout 10 xclip -o -selection clipboard -t image/png");
  CHECK(png.starts_with("\x89PNG"));
}

TEST_CASE("the start page: its run plays while it is pointed at, its cards and fields work, typing searches") {
  if (!can_drive_a_window()) return;
  // Traced here: a driver that was used before a fork does not work after it.
  Request request;
  request.algorithm = "fft-stockham2", request.n = 8;
  const std::filesystem::path stockham = traced_file(request);
  request.algorithm = "gallery/stale-twiddle";
  const std::filesystem::path stale = traced_file(request);
  Session window(small_trace(), 8, {}, {}, [&](WindowOptions& options) {
    options.start = true;
    options.request.algorithm = "fft-radix2";
    options.request.n = 8;
    options.run = [&](const Request& asked, const std::string&, int, const Progress&) {
      return WindowOptions::Made{TraceReader::open(asked.algorithm.starts_with("gallery/") ? stale : stockham), {}};
    };
    options.devices = [] { return DeviceList{}; };
    options.card_run = [](StartPage::Card) { return TraceReader::open(small_trace()); };
  });
  CHECK(window.reaches("start", true));
  CHECK(window.reaches("cards_made", 4));
  WindowState state;
  state.start.open = true;
  state.cursor.step = 8;
  Document document(TraceReader::open(small_trace()));
  const Scene page = window_scene(document, state);
  const auto card = [&](std::uint64_t which) {
    for (const Shape2D& shape : page.shapes)
      if (shape.mark >= 0 && page.marks[shape.mark].mark.command == "start-card" &&
          page.marks[shape.mark].mark.index == which)
        return Point{bounds(shape).centre().x, bounds(shape).y + 60};
    return Point{};
  };
  window.point(card(0));
  CHECK(window.reaches([](const json& now) { return now["step"] != 8; }));  // it plays
  window.point({1430, 5});
  window.does("key Right key Right");
  CHECK(window.reaches("card", 2));
  window.does("type --delay 5 stockham");
  CHECK(window.reaches("typed", "stockham"));
  CHECK(window.reaches("palette", true));
  window.does("key Return");
  CHECK(window.reaches([](const json& now) {
    return now["start"] == false && now["algorithm"].get<std::string>().find("stockham") != std::string::npos;
  }));
  window.does("key alt+Home");
  CHECK(window.reaches("start", true));
  window.does("key 1");
  CHECK(window.reaches("start", false));
  // The bugs are found under their card, and their kernels run.
  window.does("key alt+Home key 3");
  CHECK(window.reaches("typed", "gallery/"));
  window.does("type --delay 5 stale-tw");
  CHECK(window.reaches("chosen", "gallery/stale-twiddle"));
  window.does("key Return");
  CHECK(window.reaches("algorithm", "gallery/stale-twiddle"));
  CHECK(window.alive());
}

TEST_CASE(
    "an opened trace has working fields; a plan from elsewhere is not run before it was agreed to, once for each "
    "content") {
  if (!can_drive_a_window()) return;
  const synthetic::Folder folder;
  const std::filesystem::path plan = folder / "mine.toml", ran = folder / "ran";
  std::ofstream(plan) << "title = \"mine\"\n";
  Request radix4;
  radix4.algorithm = "fft-radix4", radix4.n = 16;
  const std::filesystem::path other = traced_file(radix4);
  const auto with_runs = [ran, other](WindowOptions& options) {
    options.run = [ran, other](const Request& request, const std::string&, int, const Progress&) {
      if (!request.algorithm.ends_with(".toml")) return WindowOptions::Made{TraceReader::open(other), {}};
      std::ofstream(ran, std::ios::app) << "run\n";
      return WindowOptions::Made{TraceReader::open(small_trace()), {}};
    };
    options.devices = [] { return DeviceList{}; };
  };
  const auto runs = [&] {
    std::ifstream in(ran);
    return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
  };
  Session window(small_trace(), 8, {}, {}, with_runs);
  CHECK(window.state()["can_run"] == true);  // fft-radix2 again, with other parameters
  window.does("key ctrl+k type --delay 5 'radix-4'");
  window.does("key Return");
  CHECK(window.reaches("algorithm", "fft-radix4"));
  CHECK(window.reaches([](const json& now) { return contains(now["message"].get<std::string>(), "16"); }));
  const auto open = [&] {
    window.does("key Escape key o type --delay 2 " + plan.string());
    window.does("key Return");
  };
  open();
  CHECK(window.reaches("asked_to_run", plan.string()));
  CHECK(runs() == 0);
  window.does("key Escape");
  CHECK(window.reaches("asked_to_run", ""));
  CHECK(runs() == 0);
  open();
  CHECK(window.reaches("asked_to_run", plan.string()));
  window.does("key Return");
  CHECK(window.reaches("algorithm", "fft-radix2"));
  CHECK(runs() == 1);
  // Agreed to: it runs without a question, until it has changed.
  window.does("key ctrl+k type --delay 5 'radix-4'");
  window.does("key Return");
  CHECK(window.reaches("algorithm", "fft-radix4"));
  open();
  CHECK(window.reaches("algorithm", "fft-radix2"));
  CHECK(runs() == 2);
  std::ofstream(plan, std::ios::app) << "# changed\n";
  open();
  CHECK(window.reaches("asked_to_run", plan.string()));
  CHECK(runs() == 2);
}

TEST_CASE("the presenter's notes have a window of their own") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  window.does("key shift+F5");
  CHECK(window.reaches("notes", true));
  // Without a window manager the pointer decides which window gets the keys; both windows take them.
  window.does("key Right");
  CHECK(window.reaches("step", 9));
  window.does("key shift+F5");
  CHECK(window.reaches("notes", false));
  window.does("key Right");
  CHECK(window.reaches("step", 10));
  CHECK(window.alive());
}

TEST_CASE("settings.toml remaps keys, and what is wrong in it is said") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 0, "theme = \"dark\"\n[keys]\nstep-forward = \"J\"\npredict = \"V\"\n");
  CHECK(window.reaches("theme", "light"));  // asked for when it was started: that counts more
  CHECK(contains(window.state()["message"].get<std::string>(), "no longer next-view"));
  window.does("key j");
  CHECK(window.reaches("step", 1));
  window.does("key Right key j");
  CHECK(window.reaches("step", 2));
}

TEST_CASE("a file that is written again while it is open is shown as it is now; one that is cut is reported") {
  if (!can_drive_a_window()) return;
  const synthetic::Folder folder;
  const std::filesystem::path file = folder / "changing.twd";
  std::filesystem::copy_file(small_trace(), file);
  Session window(file, 8);
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 16;
  std::filesystem::copy_file(traced_file(request), folder / "next.twd");
  std::filesystem::rename(folder / "next.twd", file);
  CHECK(window.reaches("steps", 38));
  CHECK(contains(window.state()["message"].get<std::string>(), "written again"));
  std::filesystem::resize_file(file, 100);
  CHECK(window.reaches([](const json& now) { return contains(now["message"].get<std::string>(), "not what it was"); }));
  window.does("key Home");
  CHECK(window.reaches("step", 0));
  CHECK(window.alive());
}

TEST_CASE("a window in which nothing happens draws nothing") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  window.point({700, 20});
  // On a busy machine what it does at first takes a while.
  bool still = false;
  for (int i = 0; i < 40 && !still; ++i) {
    const std::size_t frames = window.frames();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    still = window.frames() == frames;
  }
  CHECK(still);
  window.does("key Right");
  CHECK(window.reaches("step", 9));
}

TEST_CASE("two traces are side by side in the real window, and step together") {
  if (!can_drive_a_window()) return;
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 8;
  request.signal = "impulse";
  Session window(small_trace(), 8, {}, traced_file(request));
  CHECK(window.reaches("beside_step", 8));
  CHECK(window.reaches([](const json& now) { return contains(now["message"].get<std::string>(), "differ"); }));
  window.does("key Right");
  CHECK(window.reaches("beside_step", 9));
  window.does("key End");
  CHECK(window.reaches("beside_step", 14));
  window.does("key n");  // the first operation that parts
  CHECK(window.reaches([](const json& now) { return now["step"] < 14; }));
}

TEST_CASE("a display without OpenGL gives a sentence that names another way") {
  if (!can_drive_a_window()) return;
  const Display display(false);
  REQUIRE_FALSE(display.name().empty());
  Document document(TraceReader::open(small_trace()));
  const pid_t process = fork();
  if (process == 0) {
    setenv("DISPLAY", display.name().c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    const std::string sentence = sentence_of([&] { run_window(document, {}); });
    _exit(contains(sentence, "OpenGL 3.2") && contains(sentence, "--screenshot") && contains(sentence, "export") ? 0
                                                                                                                 : 1);
  }
  int status = 0;
  waitpid(process, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("without a display there is a sentence that names another way") {
  Document document(TraceReader::open(small_trace()));
  const pid_t process = fork();
  if (process == 0) {  // GLFW remembers its displays: ask in a process of its own
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    const std::string sentence = sentence_of([&] { run_window(document, {}); });
    _exit(contains(sentence, "--screenshot") && contains(sentence, "export")
              ? static_cast<int>(exit_code_of([&] { run_window(document, {}); }))
              : 99);
  }
  int status = 0;
  waitpid(process, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == static_cast<int>(ExitCode::no_device));
}

#endif
