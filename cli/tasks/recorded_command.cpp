#include "cli/tasks/recorded_command.h"

#include "base/read_file.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iterator>

extern char** environ;

namespace twiddle::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::uintmax_t max_loader = 64 << 20;
constexpr auto patience = 5s;  // between the request to end and the end

volatile std::sig_atomic_t passed_on = 0;

// While it exists, Ctrl-C and Ctrl-\ are for the command alone, and other requests to end are remembered for it. That the command
// ended interrupts what waits.
class Signals {
 public:
  Signals() {
    passed_on = 0;
    struct sigaction ignore {
    }, remember{}, notice{};
    ignore.sa_handler = SIG_IGN;
    remember.sa_handler = [](int signal) { passed_on = signal; };
    notice.sa_handler = [](int) {};
    notice.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < std::size(numbers); ++i)
      ::sigaction(numbers[i], i < 2 ? &ignore : i < 4 ? &remember : &notice, &before_[i]);
  }
  ~Signals() {
    for (std::size_t i = 0; i < std::size(numbers); ++i) ::sigaction(numbers[i], &before_[i], nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  static constexpr int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD};
  struct sigaction before_[std::size(numbers)];
};

// The OpenCL loader among what a process has mapped.
std::string loader_of(pid_t process) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (const std::size_t name = line.find("/libOpenCL.so"); name != std::string::npos)
      if (const std::size_t path = line.find('/'); path != std::string::npos) return line.substr(path);
  return {};
}

}  // namespace

bool takes_layers(const std::string& loader) {
  try {
    // It looks for those that this variable names.
    return read_file(loader, max_loader).find("OPENCL_LAYERS") != std::string::npos;
  } catch (const std::exception&) { return true; }
}

CommandEnd run_command(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& environment,
                       std::optional<double> seconds, const std::function<bool()>& look,
                       const std::function<void(std::chrono::milliseconds)>& wait) {
  std::vector<std::string> variables;
  for (char** one = environ; *one; ++one) {
    const std::string variable = *one;
    const std::string name = variable.substr(0, variable.find('='));
    if (std::none_of(environment.begin(), environment.end(), [&](const auto& own) { return own.first == name; }))
      variables.push_back(variable);
  }
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
  };

  CommandEnd end;
  pid_t child = 0;
  // Signals change behind the start: the command begins with those of this program.
  if (const int failed = posix_spawnp(&child, words.at(0).c_str(), nullptr, nullptr, pointers(words).data(),
                                      pointers(variables).data())) {
    end.code = failed == ENOENT ? exit_not_found : exit_not_runnable;
    return end;
  }
  const Signals signals;
  const auto begun = Clock::now();
  std::optional<Clock::time_point> asked;
  auto pause = 1ms;
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) {
      end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      break;
    }
    if (end.loader.empty()) end.loader = loader_of(child);
    if (passed_on != 0) {
      kill(child, passed_on);
      passed_on = 0;
    }
    if (!asked && seconds && Clock::now() - begun > std::chrono::duration<double>(*seconds)) {
      end.timed_out = true;
      asked = Clock::now();
      kill(child, SIGTERM);
    } else if (asked && Clock::now() - *asked > patience) {
      kill(child, SIGKILL);
    }
    if (look()) {
      pause = 1ms;
    } else {
      wait(pause);
      pause = std::min(pause * 2, 50ms);
    }
  }
  while (look()) {}
  return end;
}

}  // namespace twiddle::cli
