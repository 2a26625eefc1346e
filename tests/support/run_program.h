// Running the real binary from a test: its exit code, what it printed, and signals sent to it while it runs.
#pragma once

#include "base/paths.h"

#include <doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

/// A folder of a test's own, gone with it.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "twiddle-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// Names of everything in it, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

struct Ran {
  int code = -1;  // exit code; 128 + signal when one ended it
  std::string out, err;
};

/// The program under test: what $TWIDDLE says, else the one beside the tests.
inline std::string program_under_test() {
  const char* given = std::getenv("TWIDDLE");
  std::string program = given && *given ? given : (program_file().parent_path() / "twiddle").string();
  REQUIRE_MESSAGE(std::filesystem::exists(program), program, " has not been built");
  return program;
}

/// The program while it runs, in a folder, without a display.
class Running {
 public:
  /// `max_bytes`: a limit on any file it writes (0: none), for a disk that is full.
  Running(const TestFolder& folder, const std::vector<std::string>& arguments, rlim_t max_bytes = 0)
      : out_(folder.path() / ".stdout"), err_(folder.path() / ".stderr") {
    const std::string program = program_under_test();
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      const int out = ::open(out_.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
      const int err = ::open(err_.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
      const int in = ::open("/dev/null", O_RDONLY);
      if (::chdir(folder.path().c_str()) != 0 || out < 0 || err < 0 || in < 0) ::_exit(126);
      ::dup2(in, 0), ::dup2(out, 1), ::dup2(err, 2);
      for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"}) ::unsetenv(variable);
      if (max_bytes) {
        const rlimit limit{max_bytes, max_bytes};
        ::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &limit);
      }
      ::execv(program.c_str(), argv.data());
      ::_exit(127);
    }
  }
  ~Running() {
    if (pid_ > 0) send(SIGKILL), wait();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const { ::kill(pid_, signal); }
  bool ended() {
    if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
    return pid_ == 0;
  }
  Ran wait() {
    if (pid_ > 0) ::waitpid(pid_, &status_, 0);
    pid_ = 0;
    const int code = WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
    Ran ran{code, content_of(out_), content_of(err_)};
    std::filesystem::remove(out_);
    std::filesystem::remove(err_);
    return ran;
  }

 private:
  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
};

inline Ran run_program(const TestFolder& folder, const std::vector<std::string>& arguments, rlim_t max_bytes = 0) {
  return Running(folder, arguments, max_bytes).wait();
}

/// Checks that a failure is one sentence on standard error, with this code, and that it says `words`.
inline void check_failure(const Ran& ran, int code, const std::string& words = {}) {
  CHECK(ran.code == code);
  CHECK(ran.out == "");
  CHECK_MESSAGE(ran.err.rfind("twiddle: ", 0) == 0, ran.err);
  CHECK_MESSAGE((ran.err.size() > 20 && ran.err.find('\n') == ran.err.size() - 1), ran.err);
  CHECK_MESSAGE(ran.err.find(words) != std::string::npos, ran.err);
}

}  // namespace twiddle
