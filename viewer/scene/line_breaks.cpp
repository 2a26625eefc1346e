#include "viewer/scene/line_breaks.h"

#include "viewer/scene/utf8.h"

#include <algorithm>

#if TWIDDLE_HAVE_UNIBREAK
#include <linebreak.h>
#endif

namespace twiddle {
namespace {

constexpr std::u32string_view small_kana = U"ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー";
bool in(std::u32string_view signs, char32_t code) { return signs.find(code) != std::u32string_view::npos; }

}  // namespace

#if TWIDDLE_HAVE_UNIBREAK

std::vector<bool> line_ends(std::string_view text, Language language) {
  static const bool ready = (init_linebreak(), true);
  std::vector<utf32_t> codes;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = next_code_point(text, at);
    // Small kana begin no line (the strict rule, which older libraries do not have): they are treated as "・".
    codes.push_back(in(small_kana, code) ? U'・' : code);
  }
  std::vector<char> breaks(codes.size(), LINEBREAK_NOBREAK);
  const char* rules = language == Language::Japanese ? "ja" : language == Language::Chinese ? "zh" : "en";
  if (ready && !codes.empty()) set_linebreaks_utf32(codes.data(), codes.size(), rules, breaks.data());
  std::vector<bool> ends(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const bool wide = is_wide(codes[i]) || (i + 1 < codes.size() && is_wide(codes[i + 1]));
    ends[i] = codes[i] == U' ' || (wide && breaks[i] == LINEBREAK_ALLOWBREAK);
  }
  return ends;
}

#else

// Without the library: knows only the signs in our own texts that begin or end no line.
std::vector<bool> line_ends(std::string_view text, Language) {
  std::vector<bool> ends;
  char32_t last = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = next_code_point(text, at);
    if (!ends.empty() && (is_wide(code) || is_wide(last)) && !in(U"「『（《“‘([{ ", last))
      ends.back() = !in(small_kana, code) && !in(U"、。，．・：；！？…」』）》”’)]},.:;!? ", code);
    ends.push_back(code == U' ');
    last = code;
  }
  return ends;
}

#endif

std::vector<std::string> broken_lines(std::string_view text, const LineRoom& room, Language language,
                                      const Advance& advance) {
  const std::vector<bool> ends = line_ends(text, language);
  std::vector<std::string> lines;
  // A line runs from `start`; `fit` is the last place where it may be parted, `used` what it takes up to here.
  std::size_t start = 0, fit = 0;
  float used = room.first, used_at_fit = used;
  const auto put = [&](std::size_t end) {
    std::string_view line = text.substr(start, end - start);
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    lines.emplace_back(line);
  };
  for (std::size_t at = 0, number = 0; at < text.size(); ++number) {
    const std::size_t here = at;
    const char32_t code = next_code_point(text, at);
    if (code == '\n') {
      put(here);
      start = fit = at, used = used_at_fit = 0;
      continue;
    }
    if (here > start && ends[number - 1]) fit = here, used_at_fit = used;
    const float wide = advance(code);
    if (used + wide > room.width && here > start && code != ' ') {
      if (fit <= start && room.cuts_words) fit = here, used_at_fit = used;
      if (fit > start) {
        put(fit);
        used -= used_at_fit;
        start = fit;
        used_at_fit = 0;
      }
    }
    used += wide;
  }
  if (start < text.size() || lines.empty()) put(text.size());
  return lines;
}

float terminal_columns(char32_t code) { return is_combining(code) ? 0.0f : is_wide(code) ? 2.0f : 1.0f; }

std::string folded(std::string text, std::size_t columns, const std::string& first, const std::string& rest,
                   Language language) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::string out;
  const LineRoom room{static_cast<float>(columns - rest.size()), 0, false};
  for (const std::string& line : broken_lines(text, room, language, terminal_columns))
    out += (out.empty() ? first : rest) + line + "\n";
  return out;
}

}  // namespace twiddle
