// The real window, under Xvfb, driven by xdotool like a person would, read back through its log of states.
#if TWIDDLE_HAVE_WINDOW

#include "viewer/window/window.h"

#include "test_support.h"
#include "traced.h"
#include "viewer/panels.h"
#include "viewer/window_layout.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace twiddle;
using nlohmann::json;

namespace {

bool on_path(const char* program) {
  return std::system((std::string("command -v ") + program + " >/dev/null 2>&1").c_str()) == 0;
}

bool can_drive_a_window() {
  for (const char* program : {"Xvfb", "xdotool"})
    if (!on_path(program)) {
      MESSAGE("skipped: ", program, " is not installed");
      return false;
    }
  return true;
}

// A display of its own, gone with the object.
class Display {
 public:
  explicit Display(bool with_opengl = true) : with_opengl_(with_opengl) {
    // Two servers that start at once may take the same number, and one of them cannot be reached then.
    // A crowded machine may have several such pairs in a row: a moment between tries parts them.
    for (int tries = 0; tries < 20 && name_.empty(); ++tries) {
      if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(50 * tries));
      start();
      if (!name_.empty() &&
          std::system(("DISPLAY=" + name_ + " xdotool getmouselocation >/dev/null 2>&1").c_str()) == 0)
        break;
      stop();
    }
  }
  ~Display() { stop(); }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  const std::string& name() const { return name_; }

 private:
  void start() {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    process_ = fork();
    if (process_ == 0) {
      close(ends[0]);
      const int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, 1), dup2(nowhere, 2);
      execlp("Xvfb", "Xvfb", "-displayfd", std::to_string(ends[1]).c_str(), "-screen", "0", "1600x1000x24", "-nolisten",
             "tcp", "-noreset", with_opengl_ ? "+extension" : "-extension", "GLX", nullptr);
      _exit(127);
    }
    close(ends[1]);
    // The server says which number it took as soon as it can be used.
    char text[16] = {};
    pollfd waiting{ends[0], POLLIN, 0};
    if (poll(&waiting, 1, 20000) == 1 && read(ends[0], text, sizeof text - 1) > 0)
      name_ = ":" + std::to_string(std::atoi(text));
    close(ends[0]);
  }
  void stop() {
    if (process_ > 0) {
      kill(process_, SIGTERM);
      waitpid(process_, nullptr, 0);
    }
    process_ = -1;
    name_.clear();
  }

  bool with_opengl_;
  pid_t process_ = -1;
  std::string name_;
};

// The window in a process of its own, and somebody at its keyboard and mouse.
class Session {
 public:
  Session(const std::filesystem::path& trace, std::uint64_t step, const std::string& settings = {},
          const std::filesystem::path& beside = {})
      : log_(folder_ / "states.jsonl") {
    REQUIRE_FALSE(display_.name().empty());
    std::filesystem::create_directory(folder_ / "twiddle");
    std::ofstream(folder_ / "twiddle" / "settings.toml") << settings;
    process_ = fork();
    if (process_ == 0) {
      std::signal(SIGTERM, SIG_DFL);  // doctest's handlers are for its own process
      setenv("DISPLAY", display_.name().c_str(), 1);
      setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
      setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);  // not the settings of who runs the tests
      unsetenv("WAYLAND_DISPLAY");
      int code = 99;
      try {
        Document document(TraceReader::open(trace));
        WindowOptions options;
        options.step = step;
        std::optional<Document> right;
        if (!beside.empty()) options.beside = &right.emplace(TraceReader::open(beside));
        options.theme = ThemeName::Light;
        options.log = log_;
        code = run_window(document, options);
      } catch (const std::exception& error) { std::ofstream(folder_ / "error.txt") << error.what(); }
      _exit(code);
    }
    const bool shown = reaches([](const json&) { return true; });
    std::ifstream error(folder_ / "error.txt");
    std::string why;
    std::getline(error, why);
    CAPTURE(why);
    if (!shown) end();
    REQUIRE(shown);
  }
  ~Session() { end(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// xdotool's own words: "key Right", "mousemove 10 20 click 1".
  void does(const std::string& what) const {
    const std::string command = "DISPLAY=" + display_.name() + " xdotool " + what + " >/dev/null 2>&1";
    CHECK(std::system(command.c_str()) == 0);
  }
  void point(Point at) const {
    does("mousemove " + std::to_string(std::lround(at.x)) + " " + std::to_string(std::lround(at.y)));
  }

  json state() const {
    std::ifstream in(log_);
    std::string line, last;
    while (std::getline(in, line))
      if (!line.empty() && line.back() == '}') last = line;
    return last.empty() ? json() : json::parse(last);
  }
  std::size_t frames() const {
    const json now = state();
    return now.is_null() ? 0 : now["frame"].get<std::size_t>();
  }
  /// Waits for a state that fits; false when none comes in a long while.
  bool reaches(const std::function<bool(const json&)>& wanted) const {
    for (int tries = 0; tries < 1500; ++tries) {
      const json now = state();
      if (!now.is_null() && wanted(now)) return true;
      if (waitpid(process_, nullptr, WNOHANG) != 0) return false;  // it ended
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
  template <typename T>
  bool reaches(const char* key, const T& value) const {
    const bool came = reaches([&](const json& now) { return now[key] == value; });
    if (!came) MESSAGE("still ", state().dump());
    return came;
  }
  /// Whether a file is among those that the window will offer to open the next time.
  bool remembers(const std::string& file) const {
    std::ifstream in(folder_ / "twiddle" / "remembered.json");
    const json root = json::parse(in, nullptr, false);
    return root.is_object() && root["files"].is_array() && root["files"].front() == file;
  }
  bool alive() const { return waitpid(process_, nullptr, WNOHANG) == 0; }

 private:
  void end() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

  synthetic::Folder folder_;
  std::filesystem::path log_;
  Display display_;
  pid_t process_ = -1;
};

std::filesystem::path small_trace() {
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 8;
  request.signal = "ramp";
  return traced_file(request);
}

// Where a mark is in the window as it opens.
Point place_of(std::uint64_t step, const std::function<bool(const Mark&)>& wanted) {
  Document document(TraceReader::open(small_trace()));
  WindowState state;
  state.cursor.step = step;
  const Scene scene = window_scene(document, state);
  for (const Shape2D& shape : scene.shapes)
    if (shape.mark >= 0 && wanted(scene.marks[static_cast<std::size_t>(shape.mark)].mark)) {
      const Point at = bounds(shape).centre();
      const MarkText* hit = scene.hit(at);
      if (hit && wanted(hit->mark)) return at;
    }
  FAIL("the scene has no such mark");
  return {};
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
  window.does("sleep 0.3 type --delay 60 L3.S2.I1");  // the field takes the keyboard a frame after it opens
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

TEST_CASE("another trace is opened by its name, and is there again the next time") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 16;
  const std::string other = traced_file(request).string();
  window.does("key o");
  CHECK(window.reaches("opening", true));
  window.does("sleep 0.3 type --delay 20 /no/such.twd");
  window.does("key Return");
  CHECK(window.reaches([](const json& now) { return !now["go_to_error"].get<std::string>().empty(); }));
  CHECK(window.state()["steps"] == 14);
  window.does("sleep 0.5 keydown ctrl keydown a sleep 0.3 keyup a keyup ctrl sleep 0.3 type --delay 20 " + other);
  window.does("key Return");
  CHECK(window.reaches("steps", 38));
  CHECK(window.reaches("opening", false));
  CHECK(window.remembers(other));
}

TEST_CASE("the presenter's notes have a window of their own") {
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 8);
  window.does("key shift+F5");
  CHECK(window.reaches("notes", true));
  // Without a window manager the pointer says who gets the keys; both windows take them.
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

TEST_CASE("a file that is written again while it is open is shown as it is now; one that is cut is told") {
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
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  const std::size_t frames = window.frames();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(window.frames() == frames);
  window.does("key Right");
  CHECK(window.reaches("step", 9));
}

TEST_CASE("two traces stand side by side in the real window, and step together") {
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
