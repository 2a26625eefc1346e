// Other programs, run without a shell: found on the PATH, waited for, what they print collected.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// The executable with this name on the PATH, or the path itself when it has a slash. Empty when there is none.
std::filesystem::path find_program(std::string_view name);

struct ProcessResult {
  int status = 0;  // exit code; 128 + the signal's number when a signal ended it
  bool timed_out = false;
  std::string output, errors;
};

/// Runs `arguments[0]` (found on the PATH) and waits for its end, or kills it after `seconds`, or soon after `go_on`, where
/// there is one, returns false. Time in which it waits for a processor that others keep busy does not count, up to nine times
/// `seconds`. Standard input is empty.
/// Output over 16 MiB is read and thrown away. Throws Error (no_device) when the program cannot be started.
ProcessResult run_process(const std::vector<std::string>& arguments, double seconds,
                          const std::filesystem::path& directory = {}, const std::function<bool()>& go_on = {});

/// What a program that failed said last, without the end of the line; empty where it said nothing.
std::string last_line(std::string text);

}  // namespace twiddle
