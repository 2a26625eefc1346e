// The one convention of Chinese texts: a space between a Chinese character and a place, a number or a foreign word; none between
// Chinese characters.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace twiddle {

/// Where a text has it otherwise: the first such place, with its neighbours. Empty: nowhere. `open` and `close` are how a place
/// begins and ends.
inline std::string unspaced_chinese(std::string_view text, char open = '{', char close = '}') {
  const auto han = [&](std::size_t at) {
    return at + 3 <= text.size() && static_cast<unsigned char>(text[at]) >= 0xE4 &&
           static_cast<unsigned char>(text[at]) <= 0xE9;
  };
  const auto foreign = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!han(at)) continue;
    const std::size_t after = at + 3;
    if (at > 0 && (foreign(text[at - 1]) || text[at - 1] == close)) return std::string(text.substr(at - 1, 4));
    if (after < text.size() && (foreign(text[after]) || text[after] == open)) return std::string(text.substr(at, 4));
    if (after < text.size() && text[after] == ' ' && han(after + 1)) return std::string(text.substr(at, 7));
  }
  return {};
}

}  // namespace twiddle
