// One kind of error for everything a person can cause or meet: a sentence for standard error and the promised exit code.
#pragma once

#include "base/message.h"

#include <stdexcept>
#include <utility>

namespace twiddle {

/// What the program promises to exit with; the numbers are a contract (see `twiddle --help`).
enum class ExitCode { good = 0, findings = 1, usage = 2, unreadable = 3, no_device = 4 };

/// A failure with one sentence that says what was wrong and what to do about it; what() is its English.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, Message message)
      : std::runtime_error(message.english()), message_(std::move(message)), code_(code) {}
  ExitCode code() const { return code_; }
  const Message& message() const { return message_; }

 private:
  Message message_;
  ExitCode code_;
};

/// What an exception says: an Error's message, of any other kind what() as it is.
inline Message message_of(const std::exception& error) {
  const auto* own = dynamic_cast<const Error*>(&error);
  return own ? own->message() : Message::verbatim(error.what());
}

/// The caller asked for something that does not exist or does not fit (exit code 2).
template <typename... Args>
[[nodiscard]] Error usage_error(fmt::format_string<Args...> format, const Args&... args) {
  return Error(ExitCode::usage, Message(format, args...));
}

/// A file could not be read, or is not what it claims to be (exit code 3).
template <typename... Args>
[[nodiscard]] Error unreadable(fmt::format_string<Args...> format, const Args&... args) {
  return Error(ExitCode::unreadable, Message(format, args...));
}

/// There is no such device or runtime here, or it gave up (exit code 4).
template <typename... Args>
[[nodiscard]] Error no_device(fmt::format_string<Args...> format, const Args&... args) {
  return Error(ExitCode::no_device, Message(format, args...));
}

}  // namespace twiddle
