#include "base/error.h"
#include "kernels/signal/signal_files.h"

#include <algorithm>
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

// Hands each line with numbers to `row` (numbers, the line's number, and its text).
template <typename Row>
void each_row(std::string_view bytes, const std::string& name, const Row& row) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (bytes.substr(0, 3) == byte_order_mark) bytes.remove_prefix(3);
  bool header_passed = false, any = false;
  std::vector<double> numbers;
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    const std::string_view whole = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), whole.size() + 1));
    std::string_view line = whole;
    double value = 0;
    bool bad = false;
    numbers.clear();
    if (line.substr(0, 1) == "#") continue;
    while (next_number(line, value, bad)) numbers.push_back(value);
    if (bad && !header_passed && !any) {
      header_passed = true;  // the columns' names
      continue;
    }
    if (bad) throw unreadable("{}, line {}: \"{}\" is no number", name, number, whole.substr(0, 40));
    if (numbers.empty()) continue;
    any = true;
    row(numbers, number);
  }
}

}  // namespace

Samples decode_csv(std::string_view bytes, const std::string& name) {
  Samples samples;
  each_row(bytes, name, [&](const std::vector<double>& row, std::size_t number) {
    if (row.size() > 2) throw unreadable("{}, line {}: more than two columns; a sample is re or re,im", name, number);
    samples.values.emplace_back(row[0], row.size() > 1 ? row[1] : 0);
  });
  if (samples.values.empty()) throw unreadable("{} holds no samples: a line each, re or re,im", name);
  samples.width = samples.values.size();
  return samples;
}

NumberTable decode_number_table(std::string_view bytes, const std::string& name, std::uint64_t max_numbers) {
  NumberTable table;
  each_row(bytes, name, [&](const std::vector<double>& row, std::size_t number) {
    if (table.columns == 0) table.columns = row.size();
    if (row.size() != table.columns)
      throw unreadable("{}, line {}: {} numbers, where the first line has {}", name, number, row.size(), table.columns);
    if (table.numbers.size() + row.size() > max_numbers)
      throw unreadable("{}, line {}: more than {} numbers", name, number, max_numbers);
    table.numbers.insert(table.numbers.end(), row.begin(), row.end());
  });
  if (table.numbers.empty()) throw unreadable("{} holds no numbers", name);
  return table;
}

}  // namespace twiddle
