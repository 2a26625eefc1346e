#include "viewer/handout/handout_packed.h"

#include "base/values/json_text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace twiddle {
namespace {

using nlohmann::json;

json as_differences(const json& rows) {
  std::map<std::pair<std::string, std::size_t>, json> before;
  json out = json::array();
  for (const json& row : rows) {
    json& last = before[{json_text(row[0]), row.size()}];
    json packed = row;
    for (std::size_t i = 1; i < row.size() && !last.is_null(); ++i)
      if (row[i].is_number_integer() && last[i].is_number_integer())
        packed[i] = row[i].get<std::int64_t>() - last[i].get<std::int64_t>();
    out.push_back(std::move(packed));
    last = row;
  }
  return out;
}

// Lists of [from, …, text] entries of `size` numbers each, by column.
json by_columns(const json& lists, std::size_t size) {
  std::vector<std::size_t> counts;
  std::vector<std::vector<int>> columns(size);
  for (const json& list : lists) {
    counts.push_back(list.size() / size);
    for (std::size_t i = 0; i < list.size(); ++i) columns[i % size].push_back(list[i].get<int>());
  }
  int last = 0;
  for (int& from : columns.front()) last = std::exchange(from, from - last);
  columns.back() = numbers_of_texts(columns.back());
  json out = {counts};
  for (const std::vector<int>& column : columns) out.push_back(column);
  return out;
}

}  // namespace

std::vector<int> numbers_of_texts(const std::vector<int>& texts) {
  std::vector<int> out;
  int largest = -1;
  for (const int text : texts) {
    out.push_back(text < 0 ? 0 : text > largest ? text - largest : text - largest - 1);
    largest = std::max(largest, text);
  }
  return out;
}

void pack_player(json& data) {
  // Elements are numbered in their order, and an embedded drawing has all of them.
  json rows = json::array();
  for (std::size_t i = 0; i < data["passing"].size(); ++i) rows.push_back(data["passing"][std::to_string(i)]);
  data["passing"] = as_differences(rows);
  data["marks"] = as_differences(data["marks"]);
  data["looks"] = by_columns(data["looks"], 3);
  data["labels"] = by_columns(data["labels"], 2);
}

}  // namespace twiddle
