// A text of many lines that is being edited, with what takes changes back. Keys and letters change it, panels draw it: no
// window is needed for either.
#pragma once

#include "viewer/input/keys.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// Offsets are in bytes, and between whole characters. Lines end with "\n" and count from 1.
class TextArea {
 public:
  static constexpr std::size_t max_bytes = std::size_t(1) << 20;
  static constexpr std::size_t max_undone = 400, max_undo_bytes = std::size_t(8) << 20;
  static constexpr std::string_view indent = "  ";

  TextArea() = default;
  /// Ends of lines of other systems become "\n"; what is beyond max_bytes is cut off.
  explicit TextArea(std::string text);

  const std::string& text() const { return text_; }
  std::size_t caret() const { return caret_; }
  std::size_t from() const { return caret_ < anchor_ ? caret_ : anchor_; }
  std::size_t to() const { return caret_ < anchor_ ? anchor_ : caret_; }
  std::string selection() const { return text_.substr(from(), to() - from()); }
  /// The line that an offset is in, and where a line begins and ends.
  int line_at(std::size_t offset) const;
  std::size_t line_begin(int line) const;
  std::size_t line_end(std::size_t offset) const;

  /// Takes the place of what is selected. Control characters other than ends of lines and tabs become spaces. False: it does
  /// not fit, and nothing has changed.
  bool insert(std::string_view typed);
  /// Moves, selects (Shift), deletes; with Ctrl by words and to the ends of the text; Enter begins a line as far in as this one,
  /// Tab indents, Ctrl+A selects all, Ctrl+Z and Ctrl+Y take back and do again. `page`: lines that Page Up goes. False when
  /// the chord edits nothing.
  bool edit(const Chord& chord, int page);
  /// To an offset, as the pointer does; `select`: what is between stays selected.
  void go(std::size_t offset, bool select);
  bool undo();
  bool redo();

 private:
  struct Change {  // `before` was where `after` is now
    std::size_t at = 0;
    std::string before, after;
    std::size_t caret = 0, anchor = 0;  // before it
  };
  std::string text_;
  std::size_t caret_ = 0, anchor_ = 0;
  float column_ = -1;  // letters from the line's beginning that Up and Down keep to; −1: where the caret is
  std::vector<Change> done_, undone_;

  void put(std::size_t at, std::size_t bytes, std::string_view with);
  std::size_t letters_in(std::size_t begin, std::size_t end) const;
  void go_lines(int by, bool select);
  void indent_lines(bool out);
};

}  // namespace twiddle
