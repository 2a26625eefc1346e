// Numbers as people write them, in words of English, Japanese and Chinese or in digits.
#include "base/text.h"
#include "lessons/run/claims.h"
#include "viewer/scene/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace twiddle {
namespace {

using Word = std::pair<std::string_view, double>;

constexpr std::array<Word, 34> english = {{
    {"zero", 0},     {"one", 1},        {"once", 1},      {"two", 2},       {"twice", 2},     {"three", 3},
    {"four", 4},     {"five", 5},       {"six", 6},       {"seven", 7},     {"eight", 8},     {"nine", 9},
    {"ten", 10},     {"eleven", 11},    {"twelve", 12},   {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15},
    {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},   {"thirty", 30},
    {"forty", 40},   {"fifty", 50},     {"sixty", 60},    {"seventy", 70},  {"eighty", 80},   {"ninety", 90},
    {"half", 0.5},   {"quarter", 0.25}, {"none", 0},      {"no", 0},
}};
constexpr std::array<Word, 4> scales = {{{"hundred", 100}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}}};

constexpr std::array<std::pair<char32_t, double>, 13> characters = {{{U'〇', 0},
                                                                     {U'零', 0},
                                                                     {U'一', 1},
                                                                     {U'二', 2},
                                                                     {U'两', 2},
                                                                     {U'三', 3},
                                                                     {U'四', 4},
                                                                     {U'五', 5},
                                                                     {U'六', 6},
                                                                     {U'七', 7},
                                                                     {U'八', 8},
                                                                     {U'九', 9},
                                                                     {U'半', 0.5}}};
constexpr std::array<std::pair<char32_t, double>, 5> powers = {
    {{U'十', 10}, {U'百', 100}, {U'千', 1000}, {U'万', 1e4}, {U'億', 1e8}}};

template <typename Table, typename Key>
const double* find(const Table& table, const Key& key) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == key; });
  return found == table.end() ? nullptr : &found->second;
}

// "2,048", "2 048" with a narrow space, "-3.5"; the first in the text.
std::optional<WordedNumber> in_digits(std::string_view text) {
  constexpr std::array<std::string_view, 3> between = {",", "\u202F", "\u2009"};
  const auto start = std::find_if(text.begin(), text.end(), is_digit);
  if (start == text.end()) return std::nullopt;
  auto at = static_cast<std::size_t>(start - text.begin());
  const std::string_view before = text.substr(0, at);
  WordedNumber number;
  double scale = 0;
  while (at < text.size()) {
    if (is_digit(text[at])) {
      if (scale > 0) {
        number.value += (text[at] - '0') * scale;
        scale /= 10;
        ++number.digits;
      } else {
        number.value = number.value * 10 + (text[at] - '0');
      }
      ++at;
      continue;
    }
    const std::string_view rest = text.substr(at);
    const auto sign = std::find_if(between.begin(), between.end(), [&](std::string_view one) {
      return rest.starts_with(one) && rest.size() > one.size() && is_digit(rest[one.size()]);
    });
    if (sign != between.end() && scale == 0) {
      at += sign->size();
    } else if (rest[0] == '.' && scale == 0 && rest.size() > 1 && is_digit(rest[1])) {
      scale = 0.1;
      ++at;
    } else {
      break;
    }
  }
  if (before.ends_with('-') || before.ends_with("−")) number.value = -number.value;
  return number;
}

std::optional<WordedNumber> in_english(std::string_view text) {
  double total = 0, part = 0;
  bool any = false;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    std::string word(text.substr(at, end - at));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    if (const double* value = find(english, word)) {
      part += *value;
      any = true;
    } else if (const double* scale = find(scales, word)) {
      part = (part == 0 ? 1 : part) * *scale;
      if (*scale > 100) total += std::exchange(part, 0);
      any = true;
    } else if (any && !word.empty() && word != "and") {
      break;
    }
    at = end + 1;
  }
  return any ? std::optional(WordedNumber{total + part, 0}) : std::nullopt;
}

std::optional<WordedNumber> in_characters(std::string_view text) {
  double total = 0, part = 0, digit = 0;
  bool any = false, open = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = next_code_point(text, at);
    if (const double* value = find(characters, code)) {
      digit = *value;
      any = open = true;
    } else if (const double* power = find(powers, code)) {
      if (*power >= 1e4)
        total += (part + digit == 0 ? 1 : part + digit) * *power, part = 0;
      else
        part += (open ? digit : 1) * *power;
      digit = 0;
      open = false;
      any = true;
    } else if (any) {
      break;
    }
  }
  return any ? std::optional(WordedNumber{total + part + digit, 0}) : std::nullopt;
}

// "a third", "three quarters", "4分の1", "三分之二"; "the third" is an ordinal.
std::optional<WordedNumber> in_fractions(std::string_view text) {
  for (const std::string_view between : {"分の", "分之"}) {
    const std::size_t at = text.find(between);
    if (at == std::string_view::npos) continue;
    const auto below = number_in_words(text.substr(0, at)), above = number_in_words(text.substr(at + between.size()));
    if (below && above && below->value > 0) return WordedNumber{above->value / below->value, 0};
  }
  constexpr std::array<Word, 4> parts = {{{"third", 3}, {"thirds", 3}, {"quarter", 4}, {"quarters", 4}}};
  std::string_view before;  // the word before
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (const double* below = find(parts, word); below && before != "the") {
      const auto above =
          before.empty() || before == "a" || before == "one" ? WordedNumber{1, 0} : number_in_words(before);
      if (above) return WordedNumber{above->value / *below, 0};
    }
    if (!word.empty()) before = word;
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<WordedNumber> number_in_words(std::string_view words) {
  if (const auto number = in_fractions(words)) return number;
  if (const auto number = in_digits(words)) return number;
  if (const auto number = in_english(words)) return number;
  return in_characters(words);
}

}  // namespace twiddle
