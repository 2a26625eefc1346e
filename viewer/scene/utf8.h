// UTF-8 as code points, for measuring and breaking text. Malformed bytes read as U+FFFD, one each.
#pragma once

#include <cstddef>
#include <string_view>

namespace twiddle {

/// The code point at `at`, which moves behind it.
inline char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 && first < 0xF5   ? 3
                   : first >= 0xE0 && first < 0xF0 ? 2
                   : first >= 0xC2 && first < 0xE0 ? 1
                                                   : 0;
  if (more == 0 || at + static_cast<std::size_t>(more) > text.size()) return 0xFFFD;
  char32_t code = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    const unsigned char next = byte(at + static_cast<std::size_t>(i));
    if ((next & 0xC0) != 0x80) return 0xFFFD;
    code = code << 6 | (next & 0x3Fu);
  }
  at += static_cast<std::size_t>(more);
  return code;
}

/// Han characters, kana, Hangul and full-width forms: one em wide.
inline bool is_wide(char32_t code) {
  return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
         (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
         (code >= 0xFFE0 && code <= 0xFFE6) || (code >= 0x20000 && code <= 0x3FFFD);
}

/// Letters that are drawn over the one before them and take no room.
inline bool is_combining(char32_t code) { return (code >= 0x300 && code <= 0x36F) || code == 0x200B || code == 0x200D; }

/// The last code point of a text; 0 of an empty one.
inline char32_t last_code_point(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0) == 0x80) {}
  return text.empty() ? 0 : next_code_point(text, at);
}

}  // namespace twiddle
