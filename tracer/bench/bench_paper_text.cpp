// The published and the measured side by side, as text and for scripts.
#include "base/values/json_text.h"
#include "tracer/bench/bench_paper.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

std::string cell(const PaperTable::Column& column, double number) {
  return std::isnan(number) ? "-" : fmt::format("{:.{}f}", number, column.decimals);
}

std::size_t width(const PaperTable::Column& column) { return std::max<std::size_t>(9, column.title.size()); }

std::string table_text(const PaperTable& table) {
  std::size_t first = 0;
  for (const PaperTable::Row& row : table.rows) first = std::max(first, row.what.size());
  std::string text = fmt::format("{}\n{}\n\n{:<{}}", table.title, table.source, "", first);
  for (const PaperTable::Column& column : table.columns) text += fmt::format("  {:>{}}", column.title, width(column));
  text += '\n';
  for (const PaperTable::Row& row : table.rows) {
    text += fmt::format("{:<{}}", row.what, first);
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      text += fmt::format("  {:>{}}", cell(table.columns[c], row.numbers[c]), width(table.columns[c]));
    text += '\n';
  }
  text += '\n';
  for (const std::string& sentence : table.remarks) text += sentence + '\n';
  return text;
}

}  // namespace

std::string paper_text(const PaperBench& bench) {
  std::string text =
      fmt::format("{} ({}{})\n", bench.device, bench.runtime, bench.driver.empty() ? "" : ", driver " + bench.driver);
  if (bench.small)
    text += "Small sizes, to try it out: times cannot be compared with those that were published for larger ones.\n";
  for (const PaperTable& table : bench.tables) text += '\n' + table_text(table);
  return text;
}

std::string paper_json(const PaperBench& bench) {
  using Json = nlohmann::ordered_json;
  Json json{{"runtime", bench.runtime}, {"device", bench.device}, {"driver", bench.driver},
            {"kind", bench.kind},       {"small", bench.small},   {"tables", Json::array()}};
  for (const PaperTable& table : bench.tables) {
    Json entry{{"id", table.id},           {"title", table.title},           {"source", table.source},
               {"correct", table.correct}, {"reproduced", table.reproduced}, {"rows", Json::array()},
               {"says", table.remarks}};
    for (const PaperTable::Row& row : table.rows) {
      Json numbers{{"what", row.what}};
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (!std::isnan(row.numbers[c])) numbers[table.columns[c].key] = row.numbers[c];
      entry["rows"].push_back(std::move(numbers));
    }
    json["tables"].push_back(std::move(entry));
  }
  return json_text(json, 2);
}

}  // namespace twiddle
