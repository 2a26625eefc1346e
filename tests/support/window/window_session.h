// The real window in a process of its own, on a display of its own, for tests that drive it like a person would.
#pragma once

#include "tracer/file/trace_file.h"
#include "viewer/window/window.h"

#include "run_program.h"
#include "test_support.h"
#include "traced.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace window_session {

using namespace twiddle;
using nlohmann::json;

inline bool on_path(const char* program) {
  return std::system((std::string("command -v ") + program + " >/dev/null 2>&1").c_str()) == 0;
}

inline bool can_drive_a_window() {
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
    // On a busy machine this may happen several times in a row, so there is a pause between tries.
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
    // The server says which number it took as soon as it can be used, and ends where nobody reads the end of that line.
    std::string text;
    pollfd waiting{ends[0], POLLIN, 0};
    for (char c = 0; c != '\n' && poll(&waiting, 1, 20000) == 1 && read(ends[0], &c, 1) == 1;) text += c;
    if (text.ends_with('\n')) name_ = ":" + std::to_string(std::atoi(text.c_str()));
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

// Settings of a window that nobody has used before. In other tests steps are operations of work-items.
inline const std::string as_installed = "# as installed\n";

// The window in a process of its own, and a user at its keyboard and mouse.
class Session {
 public:
  Session(const std::filesystem::path& trace, std::uint64_t step, const std::string& settings = {},
          const std::filesystem::path& beside = {}, const std::function<void(WindowOptions&)>& more = {})
      : log_(folder_ / "states.jsonl") {
    begin(settings, [&] {
      int code = 99;
      try {
        Document document(TraceReader::open(trace));
        WindowOptions options;
        options.step = step;
        std::optional<Document> right;
        if (!beside.empty()) options.beside = &right.emplace(TraceReader::open(beside));
        options.theme = ThemeName::Light;
        options.log = log_;
        if (more) more(options);
        code = run_window(document, options);
      } catch (const std::exception& error) { std::ofstream(folder_ / "error.txt") << error.what(); }
      _exit(code);
    });
  }
  /// The program itself with these arguments, in `folder`: what it saves and runs is real, too.
  Session(const TestFolder& folder, const std::vector<std::string>& arguments,
          const std::filesystem::path& output = "/dev/null")
      : log_(folder_ / "states.jsonl") {
    const std::string program = program_under_test();
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    begin("theme = \"light\"\n", [&] {
      setenv("TWIDDLE_WINDOW_LOG", log_.c_str(), 1);
      const int nowhere = open(output.c_str(), O_WRONLY | O_CREAT, 0600);
      if (chdir(folder.path().c_str()) == 0 && nowhere >= 0 && dup2(nowhere, 1) >= 0)
        execv(program.c_str(), argv.data());
      _exit(127);
    });
  }
  ~Session() { end(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// xdotool's own words: "key Right", "mousemove 10 20 click 1".
  void does(const std::string& what) const {
    const std::string command = "DISPLAY=" + display_.name() + " timeout 60 xdotool " + what + " >/dev/null 2>&1";
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
  /// The folder of the window's settings, and of nothing else.
  std::filesystem::path folder() const { return folder_.path(); }
  const std::string& display() const { return display_.name(); }
  bool alive() const { return waitpid(process_, nullptr, WNOHANG) == 0; }

 private:
  /// `child` ends its process.
  template <typename Child>
  void begin(const std::string& settings, const Child& child) {
    REQUIRE_FALSE(display_.name().empty());
    std::filesystem::create_directory(folder_ / "twiddle");
    std::ofstream(folder_ / "twiddle" / "settings.toml") << settings;
    if (settings != as_installed)
      std::ofstream(folder_ / "twiddle" / "remembered.json") << "{\"step-by\": \"work-item\"}";
    process_ = fork();
    if (process_ == 0) {
      std::signal(SIGTERM, SIG_DFL);  // doctest's handlers are for its own process
      setenv("DISPLAY", display_.name().c_str(), 1);
      setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
      setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);  // not the settings of who runs the tests
      unsetenv("WAYLAND_DISPLAY");
      child();
    }
    const bool shown = reaches([](const json&) { return true; });
    std::ifstream error(folder_ / "error.txt");
    std::string why;
    std::getline(error, why);
    CAPTURE(why);
    if (!shown) end();
    REQUIRE(shown);
    // A picture may be painted before the server has put the window onto the screen: keys pressed until then are lost.
    does("search --sync --onlyvisible --name .");
  }
  void end() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

  synthetic::Folder folder_;
  std::filesystem::path log_;
  Display display_;
  pid_t process_ = -1;
};

inline std::filesystem::path small_trace() {
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 8;
  request.signal = "ramp";
  return traced_file(request);
}

}  // namespace window_session
