#include "viewer/input/text_area.h"

#include "viewer/input/text_line.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

/// As a text area has it.
std::string plain_lines(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') plain += '\n';
    } else {
      plain += (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? ' ' : text[i];
    }
  }
  return plain;
}

}  // namespace

TextArea::TextArea(std::string text) : text_(plain_lines(text)) {
  if (text_.size() <= max_bytes) return;
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) --end;
  text_.resize(end);
}

int TextArea::line_at(std::size_t offset) const {
  return 1 + static_cast<int>(std::count(
                 text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size())), '\n'));
}

std::size_t TextArea::line_begin(int line) const {
  std::size_t at = 0;
  for (int l = 1; l < line; ++l) {
    const std::size_t end = text_.find('\n', at);
    if (end == std::string::npos) return text_.size();
    at = end + 1;
  }
  return at;
}

std::size_t TextArea::line_end(std::size_t offset) const {
  return std::min(text_.find('\n', std::min(offset, text_.size())), text_.size());
}

void TextArea::put(std::size_t at, std::size_t bytes, std::string_view with) {
  if (bytes == 0 && with.empty()) return;
  Change change{at, text_.substr(at, bytes), std::string(with), caret_, anchor_};
  text_.replace(at, bytes, with);
  undone_.clear();
  // Letters that are typed one after the other are one change, a word long.
  Change* last = done_.empty() ? nullptr : &done_.back();
  const bool word = with.size() == 1 && with[0] != '\n' && bytes == 0;
  if (last && word && last->before.empty() && last->at + last->after.size() == at && !last->after.empty() &&
      last->after.find('\n') == std::string::npos && last->after.size() < 64 &&
      !(with[0] != ' ' && last->after.back() == ' ')) {
    last->after += with;
  } else {
    done_.push_back(std::move(change));
  }
  std::size_t kept = 0, first = done_.size();
  while (first > 0 && done_.size() - first < max_undone && kept <= max_undo_bytes) {
    --first;
    kept += done_[first].before.size() + done_[first].after.size();
  }
  done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(first));
}

bool TextArea::insert(std::string_view typed) {
  const std::string plain = plain_lines(typed);
  if (text_.size() - (to() - from()) + plain.size() > max_bytes) return false;
  const std::size_t at = from();
  put(at, to() - at, plain);
  caret_ = anchor_ = at + plain.size();
  column_ = -1;
  return true;
}

std::size_t TextArea::letters_in(std::size_t begin, std::size_t end) const {
  std::size_t count = 0;
  for (std::size_t at = begin; at < end; at = offset_moved(text_, at, 1, false)) ++count;
  return count;
}

void TextArea::go(std::size_t offset, bool select) {
  caret_ = std::min(offset, text_.size());
  while (caret_ > 0 && caret_ < text_.size() && (static_cast<unsigned char>(text_[caret_]) & 0xC0) == 0x80) --caret_;
  if (!select) anchor_ = caret_;
  column_ = -1;
}

/// Up and down; beyond the first line and the last to their ends.
void TextArea::go_lines(int by, bool select) {
  const int line = line_at(caret_), last = line_at(text_.size());
  const auto column = column_ >= 0 ? static_cast<std::size_t>(column_) : letters_in(line_begin(line), caret_);
  const int to = line + by;
  std::size_t at = 0;
  if (to > last) {
    at = text_.size();
  } else if (to >= 1) {
    at = line_begin(to);
    const std::size_t end = line_end(at);
    for (std::size_t l = 0; l < column && at < end; ++l) at = offset_moved(text_, at, 1, false);
  }
  go(at, select);
  column_ = static_cast<float>(column);
}

/// All lines of the selection two spaces in, or out.
void TextArea::indent_lines(bool out) {
  const int first = line_at(from()), last = line_at(to() > from() ? to() - 1 : to());
  const std::size_t begin = line_begin(first), end = line_end(line_begin(last));
  std::string lines;
  for (int line = first; line <= last; ++line) {
    const std::size_t at = line_begin(line), stop = line_end(at);
    std::string one = text_.substr(at, stop - at);
    if (!out && !one.empty()) one.insert(0, indent);
    for (std::size_t i = 0; out && i < indent.size() && !one.empty() && one[0] == ' '; ++i) one.erase(0, 1);
    lines += one + (line < last ? "\n" : "");
  }
  if (text_.size() - (end - begin) + lines.size() > max_bytes) return;
  put(begin, end - begin, lines);
  anchor_ = begin, caret_ = begin + lines.size();
  column_ = -1;
}

bool TextArea::undo() {
  if (done_.empty()) return false;
  Change change = std::move(done_.back());
  done_.pop_back();
  text_.replace(change.at, change.after.size(), change.before);
  caret_ = std::min(change.caret, text_.size()), anchor_ = std::min(change.anchor, text_.size());
  column_ = -1;
  undone_.push_back(std::move(change));
  return true;
}

bool TextArea::redo() {
  if (undone_.empty()) return false;
  Change change = std::move(undone_.back());
  undone_.pop_back();
  text_.replace(change.at, change.before.size(), change.after);
  caret_ = anchor_ = change.at + change.after.size();
  column_ = -1;
  done_.push_back(std::move(change));
  return true;
}

bool TextArea::edit(const Chord& chord, int page) {
  if (chord.alt) return false;
  const auto to_offset = [&](std::size_t offset) {
    go(offset, chord.shift);
    return true;
  };
  const auto lines = [&](int by) {
    go_lines(by, chord.shift);
    return true;
  };
  const auto remove = [&](int by) {
    if (caret_ == anchor_) anchor_ = offset_moved(text_, caret_, by, chord.ctrl);
    return insert({});
  };
  const bool selects = caret_ != anchor_ && !chord.shift && !chord.ctrl;
  if (chord.key == "Left") return to_offset(selects ? from() : offset_moved(text_, caret_, -1, chord.ctrl));
  if (chord.key == "Right") return to_offset(selects ? to() : offset_moved(text_, caret_, 1, chord.ctrl));
  if (chord.key == "Up" && !chord.ctrl) return lines(-1);
  if (chord.key == "Down" && !chord.ctrl) return lines(1);
  if (chord.key == "Page Up") return lines(-std::max(1, page));
  if (chord.key == "Page Down") return lines(std::max(1, page));
  if (chord.key == "Home") {
    // To the line's first letter, and from there to its beginning.
    const std::size_t begin = line_begin(line_at(caret_));
    const std::size_t letter = std::min(text_.find_first_not_of(" \t", begin), line_end(begin));
    return to_offset(chord.ctrl ? 0 : caret_ == letter ? begin : letter);
  }
  if (chord.key == "End") return to_offset(chord.ctrl ? text_.size() : line_end(caret_));
  if (chord.key == "Backspace") return remove(-1);
  if (chord.key == "Delete") return remove(1);
  if (chord.key == "Enter" && !chord.ctrl) {
    const std::size_t begin = line_begin(line_at(from()));
    std::size_t in = begin;
    while (in < from() && (text_[in] == ' ' || text_[in] == '\t')) ++in;
    return insert("\n" + text_.substr(begin, in - begin));
  }
  if (chord.key == "Tab" && !chord.ctrl) {
    if (chord.shift || selection().find('\n') != std::string::npos)
      indent_lines(chord.shift);
    else
      insert(indent);
    return true;
  }
  if (!chord.ctrl) return false;
  if (chord.key == "A") {
    anchor_ = 0, caret_ = text_.size();
    return true;
  }
  if (chord.key == "Y" || (chord.key == "Z" && chord.shift)) {
    redo();
    return true;
  }
  if (chord.key == "Z") {
    undo();
    return true;
  }
  return false;
}

}  // namespace twiddle
