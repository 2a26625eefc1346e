#include "viewer/input/text_line.h"

#include <algorithm>

namespace twiddle {
namespace {

bool is_continued(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string utf8_of(char32_t code) {
  std::string bytes;
  const auto add = [&](char32_t byte) { bytes += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6), add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  } else if (code < 0x110000) {
    add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 0x3F)), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  }
  return bytes;
}

std::size_t offset_moved(std::string_view text, std::size_t at, int by, bool word) {
  const auto one = [&](std::size_t from) {
    if (by < 0) {
      while (from > 0 && is_continued(text[--from])) {}
    } else {
      if (from < text.size()) ++from;
      while (from < text.size() && is_continued(text[from])) ++from;
    }
    return from;
  };
  if (!word) return one(at);
  const auto space = [&](std::size_t p) {
    const char c = by < 0 ? (p > 0 ? text[p - 1] : 'x') : text[p];
    return c == ' ' || c == '\n';
  };
  const auto more = [&](std::size_t p) { return by < 0 ? p > 0 : p < text.size(); };
  while (more(at) && space(at)) at = one(at);
  while (more(at) && !space(at)) at = one(at);
  return at;
}

TextLine TextLine::selected(std::string text) {
  const std::size_t end = text.size();
  return {std::move(text), end, 0};
}

void TextLine::insert(std::string_view typed) {
  std::string plain(typed);
  for (char& c : plain)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  std::size_t room = max_bytes - std::min(max_bytes, text.size() - (to() - from()));
  room = std::min(room, plain.size());
  while (room > 0 && room < plain.size() && is_continued(plain[room])) --room;
  plain.resize(room);
  text.replace(from(), to() - from(), plain);
  caret = anchor = from() + plain.size();
}

void TextLine::insert(char32_t code_point) { insert(utf8_of(code_point)); }

bool TextLine::edit(const Chord& chord) {
  if (chord.alt) return false;
  const auto go = [&](std::size_t to) {
    caret = to;
    if (!chord.shift) anchor = to;
    return true;
  };
  const auto remove = [&](int by) {
    if (caret == anchor) anchor = offset_moved(text, caret, by, chord.ctrl);
    insert(std::string_view());
    return true;
  };
  const bool selects = caret != anchor && !chord.shift && !chord.ctrl;
  if (chord.key == "Left") return go(selects ? from() : offset_moved(text, caret, -1, chord.ctrl));
  if (chord.key == "Right") return go(selects ? to() : offset_moved(text, caret, 1, chord.ctrl));
  if (chord.key == "Home") return go(0);
  if (chord.key == "End") return go(text.size());
  if (chord.key == "Backspace") return remove(-1);
  if (chord.key == "Delete") return remove(1);
  if (chord.ctrl && chord.key == "A") {
    anchor = 0, caret = text.size();
    return true;
  }
  return false;
}

}  // namespace twiddle
