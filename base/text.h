// Small things about text that several rooms need.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace twiddle {

/// The number that all of `text` is, as std::from_chars reads it; nothing where it is none, or one that Number does not hold.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The bytes of "00ff", two digits each, in either case of letters; nothing where it is none such.
std::optional<std::vector<std::byte>> bytes_in_hex(std::string_view digits);

/// Without the spaces, tabs and ends of lines at either end.
std::string_view trimmed(std::string_view text);

/// What is between spaces, tabs and ends of lines.
std::vector<std::string> words_of(std::string_view text);

/// With ASCII's capital letters as small ones; other bytes, as of letters with accents, stay as they are.
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower_case(std::string_view text);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Of ASCII, as in names of programs.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// A letter, a digit or _: what a name in a program is made of.
constexpr bool is_of_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

}  // namespace twiddle
