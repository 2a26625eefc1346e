// Lines: where a text may be parted, by Unicode's rules (UAX #14, through libunibreak), and how it is. What measures a
// letter is the caller's: a font, or a terminal's columns.
#pragma once

#include "viewer/scene/scene.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// For every code point of a text, whether a line may end behind it: behind spaces, and around Han characters, kana and
/// Hangul where the rules of UAX #14 and the language's allow it (no line begins with "、", "）" or "っ", none ends with
/// "（"). Words of letters stay whole: "work-item", "a/b" and "L2.S1" are names here.
std::vector<bool> line_ends(std::string_view text, Language language);

/// How wide a code point is, in any unit.
using Advance = std::function<float(char32_t)>;

struct LineRoom {
  float width = 0;         // of a line, in the unit of the advances
  float first = 0;         // of which the first line has this much less (or more, when negative)
  bool cuts_words = true;  // a word wider than a line is cut anywhere; else it has a line of its own, too wide
};
/// The text's lines, without spaces at their ends; "\n" ends one as well. At least one line, which may be empty.
std::vector<std::string> broken_lines(std::string_view text, const LineRoom& room, Language language,
                                      const Advance& advance);

/// Columns of a terminal that a code point takes: 2 for wide letters, 0 for combining ones.
float terminal_columns(char32_t code);
/// Lines for a terminal `columns` wide, each with its end: `first` before the first, `rest` before the others (both of as
/// many columns as `rest` has bytes). Words are not cut, and the text's own line ends are spaces.
std::string folded(std::string text, std::size_t columns, const std::string& first, const std::string& rest,
                   Language language = Language::English);

}  // namespace twiddle
