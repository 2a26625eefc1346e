#include "tracer/checks/fix_lines.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace twiddle {
namespace {

// Each with its end.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string_view without_end(std::string_view line) { return line.substr(0, line.find_last_not_of(" \t\r\n") + 1); }

}  // namespace

std::optional<std::string> with_fix(const std::string& text, const Fix& fix) {
  const std::vector<std::string_view> lines = whole_lines(text);
  if (fix.line < 1 || static_cast<std::size_t>(last_line_of(fix)) > lines.size()) return std::nullopt;
  const auto first = lines.begin() + (fix.line - 1), behind = lines.begin() + last_line_of(fix);
  const std::size_t indent = std::min(first->find_first_not_of(" \t"), first->size());
  std::string is;
  for (auto line = first; line != behind; ++line)
    is += (line == first ? std::string() : "\n") + std::string(without_end(*line));
  if (std::string_view(is).substr(std::min(indent, is.size())) != fix.is) return std::nullopt;
  const std::string_view last = *(behind - 1);
  const std::string_view end = last.ends_with("\r\n") ? "\r\n" : last.ends_with('\n') ? "\n" : "";
  std::string out;
  for (auto line = lines.begin(); line != first; ++line) out += *line;
  out += first->substr(0, indent);
  for (const char c : fix.should) {
    if (c == '\n' && end == "\r\n") out += '\r';
    out += c;
  }
  out += end;
  for (auto line = behind; line != lines.end(); ++line) out += *line;
  return out;
}

std::string diff_of(const std::string& name, const std::string& before, const std::string& after) {
  constexpr std::size_t around = 3;
  const std::vector<std::string_view> was = whole_lines(before), is = whole_lines(after);
  std::size_t same = 0, same_end = 0;
  const std::size_t shorter = std::min(was.size(), is.size());
  while (same < shorter && was[same] == is[same]) ++same;
  while (same_end < shorter - same && was[was.size() - 1 - same_end] == is[is.size() - 1 - same_end]) ++same_end;
  if (same == was.size() && same == is.size()) return {};
  const std::size_t from = same - std::min(same, around), behind = std::min(same_end, around);
  const std::size_t old_end = was.size() - same_end, new_end = is.size() - same_end;
  // A range of no lines is named by the line before it.
  const auto range = [&](std::size_t end) {
    const std::size_t count = end + behind - from;
    return count == 1 ? fmt::format("{}", from + 1) : fmt::format("{},{}", from + (count > 0), count);
  };
  std::string out = fmt::format("--- a/{0}\n+++ b/{0}\n@@ -{1} +{2} @@\n", name, range(old_end), range(new_end));
  const auto add = [&](char sign, std::string_view line) {
    out += sign;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  };
  for (std::size_t k = from; k < same; ++k) add(' ', was[k]);
  for (std::size_t k = same; k < old_end; ++k) add('-', was[k]);
  for (std::size_t k = same; k < new_end; ++k) add('+', is[k]);
  for (std::size_t k = old_end; k < old_end + behind; ++k) add(' ', was[k]);
  return out;
}

}  // namespace twiddle
