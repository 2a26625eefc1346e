#include "cli/tasks/recorded_command.h"

#include "base/process_tree.h"
#include "base/read_file.h"
#include "base/values/clock.h"
#include "cli/interrupt.h"
#include "cli/output.h"

#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

extern char** environ;

namespace twiddle::cli {
namespace {

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
  static sigset_t all() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : numbers) sigaddset(&set, number);
    return set;
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  static constexpr int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD};
  struct sigaction before_[std::size(numbers)];
};

class ReaderThread {
 public:
  explicit ReaderThread(const CommandReader& reader) : reader_(reader) {
    // Signals are for the thread that waits for the command.
    const sigset_t ours = Signals::all();
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    thread_ = std::thread([this] { read(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~ReaderThread() {
    command_ended();
    thread_.join();
  }
  ReaderThread(const ReaderThread&) = delete;
  ReaderThread& operator=(const ReaderThread&) = delete;

  void command_ended() {
    ended_ = true;
    reader_.wake();
  }
  // Whether it is through, within so long.
  bool done(std::chrono::milliseconds longest) {
    std::unique_lock<std::mutex> locked(lock_);
    return through_.wait_for(locked, longest, [&] { return done_; });
  }
  // Once it is through.
  void throw_what_it_threw() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void read() {
    try {
      for (auto pause = 1ms;;) {
        const bool last = ended_;  // what the command left before that is there now
        if (reader_.look()) {
          pause = 1ms;
        } else if (last) {
          break;
        } else {
          reader_.wait(pause);
          pause = std::min(pause * 2, 50ms);
        }
      }
      reader_.rest();
    } catch (...) { thrown_ = std::current_exception(); }
    const std::lock_guard<std::mutex> locked(lock_);
    done_ = true;
    through_.notify_all();
  }

  const CommandReader& reader_;
  std::atomic<bool> ended_ = false;
  std::mutex lock_;
  std::condition_variable through_;
  bool done_ = false;
  std::exception_ptr thrown_;
  std::thread thread_;
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
                       std::optional<double> seconds, const CommandReader& reader) {
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
  std::optional<Signals> signals(std::in_place);
  ReaderThread thread(reader);
  const auto begun = Clock::now();
  std::optional<Clock::time_point> asked;
  std::vector<SeenProcess> stopped;
  bool ended = false;
  for (auto pause = 1ms;; pause = std::min(pause * 2, 50ms)) {
    int status = 0;
    const pid_t waited = ended ? 0 : waitpid(child, &status, WNOHANG);
    if (waited == child || (waited < 0 && errno != EINTR)) {
      end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      ended = true;
    }
    // What was asked to end with it may take longer.
    if (ended && std::none_of(stopped.begin(), stopped.end(), lives)) break;
    if (!ended && end.loader.empty()) end.loader = loader_of(child);
    if (passed_on != 0) {
      send_signal(ended ? stopped : process_tree(child), passed_on);
      passed_on = 0;
    }
    if (!asked && seconds && seconds_since(begun) > *seconds) {
      end.timed_out = true;
      asked = Clock::now();
      stopped = process_tree(child);
      send_signal(stopped, SIGTERM);
    } else if (asked && Clock::now() - *asked > patience) {
      send_signal(stopped, SIGKILL);
      if (!ended) send_signal(process_tree(child), SIGKILL);
    }
    poll(nullptr, 0, static_cast<int>(pause.count()));
  }
  signals.reset();
  thread.command_ended();
  for (bool told = false; !thread.done(50ms);)
    if (!told && InterruptGuard::asked()) {
      told = true;
      print_line("interrupted: the recording ends with the launch that is being read; Ctrl-C again ends it at once");
    }
  thread.throw_what_it_threw();
  return end;
}

}  // namespace twiddle::cli
