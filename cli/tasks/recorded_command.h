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

/// Runs a command with this program's standard input, output and errors, and with these variables beside the environment's.
/// `look` is called again and again meanwhile, and returns whether there was something to do; in between, `wait` returns when
/// there may be something, or after so long. Ctrl-C is the command's own; what
/// else asks this program to end is passed on. After `seconds`, if any, the command is asked to end, and soon after killed.
CommandEnd run_command(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& environment,
                       std::optional<double> seconds, const std::function<bool()>& look,
                       const std::function<void(std::chrono::milliseconds)>& wait);

}  // namespace twiddle::cli
