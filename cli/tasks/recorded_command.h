// Someone else's program, run as a shell would run it, while what it leaves behind is looked after.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle::cli {

/// How a shell says that there is no such command, or that it cannot be run.
inline constexpr int exit_not_found = 127, exit_not_runnable = 126;

struct CommandEnd {
  int code = 0;            // as a shell has it: 128 + n when signal n ended it
  bool timed_out = false;  // it was stopped after its time
  std::string loader;      // the OpenCL loader that it was seen to load; empty: none
};

/// Does an OpenCL loader take layers? True, too, where its file cannot be read.
bool takes_layers(const std::string& loader);

/// What is done with that which a command leaves behind, in a thread of its own: it may take longer than the command.
struct CommandReader {
  std::function<bool()> look;                           // called again and again; whether there was something to do
  std::function<void(std::chrono::milliseconds)> wait;  // returns when there may be something, or after so long
  std::function<void()> wake;                           // from another thread: ends wait at once
  std::function<void()> rest;  // called once, when the command has ended and `look` has found nothing any more
};

/// Runs a command with this program's standard input, output and errors, and with these variables beside the environment's, until
/// it has ended and all that it left is read. While it runs, Ctrl-C is the command's own, and what else asks this program to end
/// is passed on to it and to all processes below it; what comes later is up to an InterruptGuard, of which a sentence says that
/// the reading ends. After `seconds`, if any, these processes are asked to end, and soon after killed. Throws what the reader
/// throws.
CommandEnd run_command(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& environment,
                       std::optional<double> seconds, const CommandReader& reader);

}  // namespace twiddle::cli
