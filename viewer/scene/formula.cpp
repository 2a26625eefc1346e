#include "viewer/scene/formula.h"

#include "base/text.h"
#include "viewer/scene/fonts.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr float small_size = 2.0f / 3, drop = 0.27f, lift = 0.45f;  // of the type size
constexpr std::string_view minus_sign = "−";

/// How long the number or the single letter at a place is; 0: neither is there.
std::size_t simple_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == at && end < text.size() && is_letter(text[end])) ++end;
  // A letter or a number that is part of a name is none of its own.
  const bool whole = end == text.size() || !is_of_name(text[end]) || text[end] == '_';
  return whole ? end - at : 0;
}

/// Whether what ends before `at` can carry something: one letter, a number, a closing bracket.
bool is_base(std::string_view text, std::size_t at, bool bracket) {
  if (at == 0) return false;
  const char last = text[at - 1];
  if (last == ')' || last == ']' || last == '|') return bracket;
  if (is_letter(last)) {
    const std::size_t length = text.substr(0, at).ends_with("log") ? 3 : 1;
    return at == length || !is_of_name(text[at - length - 1]);
  }
  if (!bracket || !is_digit(last)) return false;
  std::size_t first = at;
  while (first > 0 && is_digit(text[first - 1])) --first;
  return first == 0 || !is_of_name(text[first - 1]);
}

/// What is in the parentheses that open at `at`, those inside them among it; empty: they do not close.
std::string_view in_parentheses(std::string_view text, std::size_t at) {
  int open = 0;
  for (std::size_t end = at; end < text.size(); ++end) {
    open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (open == 0) return text.substr(at + 1, end - at - 1);
  }
  return {};
}

/// What is after a ^ or a _ at `at`: its text, and how much of the whole text it takes; 0: it is no exponent.
std::pair<std::string, std::size_t> exponent_at(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '(') {
    const std::string_view inside = in_parentheses(text, at);
    if (inside.empty()) return {};
    return {std::string(inside), inside.size() + 2};
  }
  const std::size_t sign = text.substr(at).starts_with(minus_sign) ? minus_sign.size()
                           : at < text.size() && text[at] == '-'   ? 1
                                                                   : 0;
  const std::size_t length = simple_length(text, at + sign);
  if (length == 0) return {};
  return {(sign > 0 ? std::string(minus_sign) : std::string()) + std::string(text.substr(at + sign, length)),
          sign + length};
}

Font small_of(const Font& font) { return {font.face, font.weight, font.size * small_size}; }

/// Calls each with (part, x from the beginning) and returns the whole width.
template <typename Each>
float place_parts(const Font& font, std::string_view text, Each each) {
  const Font small = small_of(font);
  float x = 0, stacked = 0;
  for (const FormulaPart& part : formula_parts(text)) {
    using Place = FormulaPart::Place;
    if (part.place == Place::Line) {
      x += stacked, stacked = 0;
      each(part, x);
      x += text_width(font, part.text);
    } else {
      if (part.place == Place::Below) x += stacked, stacked = 0;
      each(part, x);
      stacked = std::max(stacked, text_width(small, part.text));
    }
  }
  return x + stacked;
}

}  // namespace

std::vector<FormulaPart> formula_parts(std::string_view text) {
  using Place = FormulaPart::Place;
  std::vector<FormulaPart> parts;
  std::string line;
  const auto put = [&](std::string part, Place place) {
    if (!line.empty()) parts.push_back({std::exchange(line, {}), Place::Line});
    parts.push_back({std::move(part), place});
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '_' && is_base(text, at, false)) {
      if (auto [index, length] = exponent_at(text, at + 1); length > 0) {
        put(std::move(index), Place::Below);
        at += 1 + length;
        if (at < text.size() && text[at] == '^')
          if (auto [exponent, taken] = exponent_at(text, at + 1); taken > 0)
            put(std::move(exponent), Place::Above), at += 1 + taken;
        continue;
      }
    }
    if (text[at] == '^' && is_base(text, at, true))
      if (auto [exponent, taken] = exponent_at(text, at + 1); taken > 0) {
        put(std::move(exponent), Place::Above);
        at += 1 + taken;
        continue;
      }
    line += text[at++];
  }
  if (!line.empty() || parts.empty()) parts.push_back({std::move(line), Place::Line});
  return parts;
}

float formula_width(const Font& font, std::string_view text) {
  return place_parts(font, text, [](const FormulaPart&, float) {});
}

float formula_text(Scene& scene, Point at, std::string_view text, const Font& font, Role role) {
  const Font small = small_of(font);
  return place_parts(font, text, [&](const FormulaPart& part, float x) {
    using Place = FormulaPart::Place;
    const float y = part.place == Place::Below   ? at.y + drop * font.size
                    : part.place == Place::Above ? at.y - lift * font.size
                                                 : at.y;
    scene.text({at.x + x, y}, part.text, part.place == Place::Line ? font : small, role);
  });
}

}  // namespace twiddle
