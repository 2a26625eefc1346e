// The tables of a query that are filled once: launches, buffers, segments, sources, and findings, for which the trace is
// checked when a query first asks for them.

#include "tracer/checks/check.h"
#include "tracer/query/query_tables.h"

#include <fmt/ranges.h>
#include <sqlite3.h>

#include <iterator>
#include <sstream>
#include <type_traits>

namespace twiddle {
namespace {

using Rows = std::vector<std::vector<Cell>>;

Cell whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }
Cell positive(std::uint64_t number) { return number > 0 ? whole(number) : Cell(); }
Cell number(int value) { return std::int64_t(value); }
Cell text_or_nothing(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

Rows launches(const QuerySource& source) {
  const TraceInfo& info = source.trace->info();
  Rows rows;
  for (const LaunchInfo& launch : info.launches) {
    const SourceText* file = info.source(launch.source);
    std::vector<Cell>& row = rows.emplace_back();
    row = {number(launch.number),
           launch.kernel,
           text_or_nothing(launch.label),
           positive(static_cast<std::uint64_t>(launch.stage)),
           file ? Cell(file->name) : Cell(),
           whole(launch.items()),
           whole(launch.group_size()),
           number(launch.dimensions)};
    for (const auto& sides : {launch.global, launch.local})
      for (const std::size_t side : sides) row.push_back(whole(side));
    row.insert(row.end(),
               {fmt::format("{}", fmt::join(launch.arguments, ", ")), launch.kernel_ns, whole(launch.attempted),
                whole(launch.kept), whole(launch.inconsistent_reads), whole(launch.unexplained)});
  }
  return rows;
}

// "re[0], im[0]" of a pair: where the two parts of its first element are; with their steps where these are not 1, and rows.
std::string parts_text(const TraceInfo& info, const BufferParts& parts) {
  std::string text;
  for (const BufferPart& part : parts)
    text +=
        fmt::format("{}{}[{}]{}{}", text.empty() ? "" : ", ", info.buffers[static_cast<std::size_t>(part.buffer)].name,
                    part.first, part.step > 1 ? fmt::format(" step {}", part.step) : "",
                    part.row > 0 ? fmt::format(" rows of {} every {}", part.row, part.row_step) : "");
  return text;
}

Rows buffers(const QuerySource& source) {
  const TraceInfo& info = source.trace->info();
  Rows rows;
  for (const BufferInfo& buffer : info.buffers)
    rows.push_back({buffer.name, std::string(traits(buffer.type).name), whole(buffer.count),
                    fmt::format("{}", fmt::join(buffer.shape, "x")), std::string(name_of(buffer.space)),
                    number(buffer.initialised ? 1 : 0), positive(static_cast<std::uint64_t>(buffer.launch)),
                    buffer.parts ? Cell(parts_text(info, *buffer.parts)) : Cell()});
  return rows;
}

Rows segments(const QuerySource& source) {
  const TraceInfo& info = source.trace->info();
  Rows rows;
  for (const Segment& segment : info.segments)
    rows.push_back({number(segment.launch), number(segment.epoch), positive(static_cast<std::uint64_t>(segment.stage)),
                    whole(segment.first_step), whole(segment.count), whole(segment.items),
                    std::string(name_of(segment.kind)), positive(segment.span)});
  return rows;
}

Rows sources(const QuerySource& source) {
  const TraceInfo& info = source.trace->info();
  Rows rows;
  for (const SourceText& file : info.sources) {
    std::istringstream in(file.text);
    int line = 0;
    for (std::string text; std::getline(in, text);) rows.push_back({file.name, number(++line), text});
  }
  return rows;
}

Rows findings(const QuerySource& source) {
  const TraceInfo& info = source.trace->info();
  Replay replay(source.trace);
  Rows rows;
  const auto applies = [](int value) { return value >= 0 ? number(value) : Cell(); };
  for (const Finding& finding : check_trace(replay, [&](double) { return !source.interrupted(); })) {
    const SourceText* file = info.source(finding.source);
    const BufferInfo* buffer = info.buffer(finding.buffer);
    rows.push_back({std::string(name_of(finding.kind)), std::string(name_of(finding.severity)),
                    positive(static_cast<std::uint64_t>(finding.launch)), applies(finding.stage),
                    applies(finding.epoch), positive(finding.step),
                    text_or_nothing(fmt::format("{}", fmt::join(finding.items, ", "))),
                    buffer ? Cell(buffer->name) : Cell(), buffer ? Cell(std::string(name_of(buffer->space))) : Cell(),
                    finding.element ? whole(*finding.element) : Cell(), file ? Cell(file->name) : Cell(),
                    positive(static_cast<std::uint64_t>(finding.line)), finding.message.english(),
                    finding.advice.english(), whole(finding.occurrences)});
  }
  return rows;
}

void give(sqlite3_context* context, const Cell& cell) {
  std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::int64_t>)
          sqlite3_result_int64(context, value);
        else if constexpr (std::is_same_v<T, double>)
          sqlite3_result_double(context, value);
        else if constexpr (std::is_same_v<T, std::string>)
          sqlite3_result_text64(context, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
      },
      cell);
}

class FilledRows final : public QueryRows {
 public:
  FilledRows(QuerySource& source, const std::string& name, Rows (*fill)(const QuerySource&))
      : source_(source), name_(name), fill_(fill) {}

  void filter(int, std::string_view, sqlite3_value**) override {
    row_ = 0;
    if (!source_.filled.contains(name_)) {
      Rows rows = fill_(source_);
      if (source_.interrupted()) throw Stopped();
      source_.filled[name_] = std::move(rows);
    }
    rows_ = &source_.filled.at(name_);
  }
  bool at_end() const override { return row_ >= rows_->size(); }
  void next() override { ++row_; }
  void give(sqlite3_context* context, int column) const override { twiddle::give(context, (*rows_)[row_][column]); }
  std::int64_t id() const override { return static_cast<std::int64_t>(row_); }

 private:
  QuerySource& source_;
  const std::string& name_;
  Rows (*fill_)(const QuerySource&);
  const Rows* rows_ = nullptr;
  std::size_t row_ = 0;
};

class FilledTable final : public QueryTableSource {
 public:
  FilledTable(QueryTable about, Rows (*fill)(const QuerySource&)) : QueryTableSource(std::move(about)), fill_(fill) {}

  void plan(const QuerySource&, sqlite3_index_info& info) const override {
    info.estimatedCost = 100;  // few, as tables of operations go
    info.estimatedRows = 100;
  }
  std::unique_ptr<QueryRows> rows(QuerySource& source) const override {
    return std::make_unique<FilledRows>(source, table.name, fill_);
  }

 private:
  Rows (*fill_)(const QuerySource&);
};

}  // namespace

void add_metadata_tables(QueryTableSources& tables) {
  const auto add = [&](const char* name, const char* columns, Rows (*fill)(const QuerySource&)) {
    std::istringstream words(columns);
    tables.push_back(std::make_unique<FilledTable>(
        QueryTable{name, {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()}}, fill));
  };
  add("launches",
      "launch kernel label stage source items group_size dimensions global_x global_y global_z local_x local_y local_z "
      "arguments kernel_ns attempted kept inconsistent_reads unexplained",
      launches);
  add("buffers", "buffer type count shape space initialised launch parts", buffers);
  add("segments", "launch epoch stage first_step count items op span", segments);
  add("sources", "source line text", sources);
  add("findings",
      "class severity launch stage epoch step items buffer space element source line message advice occurrences",
      findings);
}

}  // namespace twiddle
