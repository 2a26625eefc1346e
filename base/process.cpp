#include "base/process.h"

#include "base/error.h"
#include "base/process_output.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

extern char** environ;

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::size_t max_output = std::size_t(16) << 20;
constexpr double max_waiting = 9;  // for a processor, times what a program is given

// A file descriptor that is closed by the destructor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }
  int get() const { return number_; }

 private:
  int number_;
};

struct Pipe {
  Descriptor read, write;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw no_device("no pipe can be made: {}", std::strerror(errno));
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// How long a process could have run and had no processor: of its threads the one that waited longest, seconds. Linux counts that
// in nanoseconds, as the second of three numbers; 0 where it does not.
double kept_waiting(pid_t process) {
  double longest = 0;
  std::error_code failed;
  for (fs::directory_iterator at("/proc/" + std::to_string(process) + "/task", failed), end; !failed && at != end;
       at.increment(failed)) {
    std::ifstream in(at->path() / "schedstat");
    std::uint64_t ran = 0, waited = 0;
    if (in >> ran >> waited) longest = std::max(longest, static_cast<double>(waited) / 1e9);
  }
  return longest;
}

// False at the end of the pipe.
bool take(const Descriptor& pipe, std::string& into) {
  std::array<char, 65536> piece;
  const ssize_t got = read(pipe.get(), piece.data(), piece.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (into.size() < max_output) into.append(piece.data(), static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

fs::path find_program(std::string_view name) {
  const auto runs = [](const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
  };
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) return runs(fs::path(name)) ? fs::path(name) : fs::path();
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (folder.empty()) continue;  // the shell's "here" is not for a program that others' files are handed to
    fs::path file = fs::path(folder) / name;
    if (runs(file)) return file;
  }
  return {};
}

namespace {

ProcessResult waited_for(const std::vector<std::string>& arguments, double seconds, const fs::path& directory,
                         const std::function<bool()>& go_on, const std::function<void(std::string_view)>& printed) {
  const fs::path program = find_program(arguments.at(0));
  if (program.empty()) throw no_device("the program {} was not found; install it or put it on the PATH", arguments[0]);

  // Standard input from nowhere, the other two into pipes.
  Pipe output, errors;
  FileActions actions;
  posix_spawn_file_actions_addopen(actions.get(), 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), output.write.get(), 1);
  posix_spawn_file_actions_adddup2(actions.get(), errors.write.get(), 2);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(actions.get(), directory.c_str());

  std::vector<char*> words;
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  if (const int failed = posix_spawn(&child, program.c_str(), actions.get(), nullptr, words.data(), environ))
    throw no_device("{} cannot be started: {}", program.string(), std::strerror(failed));
  output.write.reset();
  errors.write.reset();

  // Collect until both pipes are closed, or time is up.
  ProcessResult result;
  const auto begun = std::chrono::steady_clock::now();
  auto end = begun + std::chrono::duration<double>(seconds);
  while (output.read.get() >= 0 || errors.read.get() >= 0) {
    std::chrono::duration<double, std::milli> left = end - std::chrono::steady_clock::now();
    // Where others keep the processor busy, that is not the program's time.
    if (left.count() <= 0) {
      end = begun + std::chrono::duration<double>(seconds + std::min(kept_waiting(child), max_waiting * seconds));
      left = end - std::chrono::steady_clock::now();
    }
    if (left.count() <= 0 || (go_on && !go_on())) {
      result.timed_out = left.count() <= 0;
      kill(child, SIGKILL);
      break;
    }
    std::array<pollfd, 2> waits{pollfd{output.read.get(), POLLIN, 0}, pollfd{errors.read.get(), POLLIN, 0}};
    const double wait = go_on ? std::min(left.count(), 100.0) : left.count();  // asked ten times a second
    if (poll(waits.data(), waits.size(), static_cast<int>(wait) + 1) < 0 && errno != EINTR) break;
    const std::size_t before = result.output.size();
    if (waits[0].revents && !take(output.read, result.output)) output.read.reset();
    if (printed && result.output.size() > before) printed(std::string_view(result.output).substr(before));
    if (waits[1].revents && !take(errors.read, result.errors)) errors.read.reset();
  }

  // A killed process that a driver holds inside the kernel does not end: after a while it is left to itself.
  int status = 0;
  for (int tries = 0; result.timed_out && tries < 200; ++tries) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended != 0) break;
    poll(nullptr, 0, 10);
    if (tries == 199) return result.status = 128 + SIGKILL, result;
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, double seconds, const fs::path& directory,
                          const std::function<bool()>& go_on) {
  return waited_for(arguments, seconds, directory, go_on, {});
}

ProcessResult run_process_heard(const std::vector<std::string>& arguments, double seconds,
                                const std::function<bool()>& go_on,
                                const std::function<void(std::string_view)>& printed) {
  return waited_for(arguments, seconds, {}, go_on, printed);
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace twiddle
