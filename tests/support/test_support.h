// Small helpers that several test files share.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace twiddle {

/// The sentence of the Error that `action` throws; "nothing was thrown" when it throws none.
template <typename Action>
std::string sentence_of(Action action) {
  try {
    action();
  } catch (const Error& error) { return error.what(); }
  return "nothing was thrown";
}

/// Its exit code; `good` when it throws none.
template <typename Action>
ExitCode exit_code_of(Action action) {
  try {
    action();
  } catch (const Error& error) { return error.code(); }
  return ExitCode::good;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
inline bool contains(const twiddle::Message& text, const std::string& part) { return contains(text.english(), part); }

/// How often a part is in a text.
inline std::size_t times_in(const std::string& text, std::string_view part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace twiddle
