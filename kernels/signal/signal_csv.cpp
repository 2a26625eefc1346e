#include "base/error.h"
#include "kernels/signal/signal_files.h"

#include <charconv>
#include <cmath>

namespace twiddle {
namespace {

bool is_separator(char c) { return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r'; }

// The next number of a line, taken off its front. False at the line's end; `bad` is set when something else is there.
bool next_number(std::string_view& line, double& value, bool& bad) {
  while (!line.empty() && is_separator(line.front())) line.remove_prefix(1);
  if (line.empty()) return false;
  if (line.front() == '+') line.remove_prefix(1);
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  bad = error != std::errc() || !std::isfinite(value) || (!line.empty() && !is_separator(line.front()));
  return !bad;
}

}  // namespace

Samples decode_csv(std::string_view bytes, const std::string& name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (bytes.substr(0, 3) == byte_order_mark) bytes.remove_prefix(3);
  Samples samples;
  bool header_passed = false;
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    const std::string_view whole = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), whole.size() + 1));
    std::string_view line = whole;
    double parts[2] = {0, 0}, extra = 0;
    int count = 0;
    bool bad = false;
    if (line.substr(0, 1) == "#") continue;
    while (count < 2 && next_number(line, parts[count], bad)) ++count;
    if (count == 2 && !bad && next_number(line, extra, bad))
      throw unreadable("{}, line {}: more than two columns; a sample is re or re,im", name, number);
    if (bad && !header_passed && samples.values.empty()) {
      header_passed = true;  // the columns' names
      continue;
    }
    if (bad) throw unreadable("{}, line {}: \"{}\" is no number", name, number, whole.substr(0, 40));
    if (count > 0) samples.values.emplace_back(parts[0], parts[1]);
  }
  if (samples.values.empty()) throw unreadable("{} holds no samples: a line each, re or re,im", name);
  samples.width = samples.values.size();
  return samples;
}

}  // namespace twiddle
