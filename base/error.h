// One kind of error for everything a person can cause or meet: a sentence for standard error and the promised exit code.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace twiddle {

/// What the program promises to exit with; the numbers are a contract (see `twiddle --help`).
enum class ExitCode { good = 0, findings = 1, usage = 2, unreadable = 3, no_device = 4 };

/// A failure with one sentence that says what was wrong and what to do about it.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The caller asked for something that does not exist or does not fit (exit code 2).
template <typename... Args>
[[nodiscard]] Error usage_error(fmt::format_string<Args...> format, Args&&... args) {
  return Error(ExitCode::usage, fmt::format(format, std::forward<Args>(args)...));
}

/// A file could not be read, or is not what it claims to be (exit code 3).
template <typename... Args>
[[nodiscard]] Error unreadable(fmt::format_string<Args...> format, Args&&... args) {
  return Error(ExitCode::unreadable, fmt::format(format, std::forward<Args>(args)...));
}

/// There is no such device or runtime here, or it gave up (exit code 4).
template <typename... Args>
[[nodiscard]] Error no_device(fmt::format_string<Args...> format, Args&&... args) {
  return Error(ExitCode::no_device, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace twiddle
