// A line of text that is being edited: keys and letters change it, panels draw it. No window is needed for either.
#pragma once

#include "viewer/input/keys.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace twiddle {

/// A character as UTF-8; nothing of what is none.
std::string utf8_of(char32_t code_point);
/// The offset of a text that is one character on (−1: back) from another, or one word: as far as the next space or end of a
/// line.
std::size_t offset_moved(std::string_view text, std::size_t at, int by, bool word);

/// Offsets are in bytes, and between whole characters.
struct TextLine {
  static constexpr std::size_t max_bytes = 1023;

  std::string text;
  std::size_t caret = 0, anchor = 0;  // what is between them is selected

  /// All of it selected, so that what is typed takes its place.
  static TextLine selected(std::string text);
  std::size_t from() const { return caret < anchor ? caret : anchor; }
  std::size_t to() const { return caret < anchor ? anchor : caret; }
  std::string selection() const { return text.substr(from(), to() - from()); }
  /// Takes the place of what is selected. Ends of lines and other control characters become spaces.
  void insert(std::string_view typed);
  void insert(char32_t code_point);
  /// Moves, selects (Shift), deletes; with Ctrl by words; Ctrl+A selects all. False when the chord edits nothing.
  bool edit(const Chord& chord);
};

}  // namespace twiddle
