// `twiddle query`: the trace as tables for SQL, for questions that no other verb answers.
#include "tracer/query/query.h"
#include "base/error.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tracer/file/trace_file.h"
#include "tracer/print/print.h"
#include "tracer/trace/number_text.h"

#include <CLI/CLI.hpp>

#include <cmath>

namespace twiddle::cli {
namespace {

enum class Format { Table, Csv, Json };

struct QueryOptions {
  std::string file;
  std::vector<std::string> words;  // more traces, and behind them the query
  Format format = Format::Table;
};

using Row = std::vector<Cell>;

std::string csv_text(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return exact_text(*real);
  const auto* text = std::get_if<std::string>(&cell);
  return text ? csv_field(*text) : "";
}

std::string cell_json(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return json_string(*text);
  if (std::holds_alternative<std::monostate>(cell)) return "null";
  const auto* real = std::get_if<double>(&cell);
  return real && !std::isfinite(*real) ? json_string(exact_text(*real)) : csv_text(cell);
}

// For people: nine digits distinguish all floats.
std::string table_text(const Cell& cell) {
  if (const auto* real = std::get_if<double>(&cell); real && std::isfinite(*real)) return fmt::format("{:.9g}", *real);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return csv_text(cell);
}

std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return width;
}

// A table in columns. Their widths come from the first rows; a later cell that is wider pushes its row to the right.
class TableWriter {
 public:
  explicit TableWriter(const std::vector<std::string>& columns) : head_(columns), widths_(columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c) widths_[c] = width_of(columns[c]);
  }
  void add(const Row& row) {
    Line line;
    for (const Cell& cell : row) line.push_back({table_text(cell), std::holds_alternative<std::string>(cell)});
    if (settled_) return write(line);
    for (std::size_t c = 0; c < line.size(); ++c) widths_[c] = std::max(widths_[c], width_of(line[c].text));
    waiting_.push_back(std::move(line));
    if (waiting_.size() == rows_for_widths) settle();
  }
  void finish() {
    if (!settled_) settle();
  }

 private:
  static constexpr std::size_t rows_for_widths = 1000;
  struct Part {
    std::string text;
    bool left;
  };
  using Line = std::vector<Part>;

  void settle() {
    settled_ = true;
    Line head;
    for (std::size_t c = 0; c < head_.size(); ++c)
      head.push_back({head_[c], !waiting_.empty() && waiting_.front()[c].left});
    write(head);
    for (const Line& line : waiting_) write(line);
    waiting_.clear();
  }
  void write(const Line& line) const {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) {
      const std::size_t width = width_of(line[c].text);
      const std::string gap(widths_[c] > width ? widths_[c] - width : 0, ' ');
      text += (c > 0 ? "  " : "") + (line[c].left ? line[c].text + gap : gap + line[c].text);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    print(text + "\n");
  }

  std::vector<std::string> head_;
  std::vector<std::size_t> widths_;
  std::vector<Line> waiting_;
  bool settled_ = false;
};

// The answer of one trace, or of several one after another: then each row begins with the rank that its trace was recorded as.
class Answer {
 public:
  Answer(const std::vector<std::string>& files, std::string sql) : sql_(std::move(sql)) {
    for (const std::string& file : files) traces_.push_back(TraceReader::open(file));
    open(0);
    columns_ = query_->columns();
    if (traces_.size() > 1) columns_.insert(columns_.begin(), "rank");
  }
  const std::vector<std::string>& columns() const { return columns_; }
  bool interrupted() const { return query_->interrupted(); }
  bool next(Row& row) {
    while (!query_->next(row)) {
      if (query_->interrupted() || at_ + 1 == traces_.size()) return false;
      open(at_ + 1);
    }
    if (traces_.size() > 1) row.insert(row.begin(), rank_);
    return true;
  }

 private:
  void open(std::size_t at) {
    at_ = at;
    const TraceInfo& info = traces_[at]->info();
    const auto rank = info.parameters.find("rank");
    rank_ = Cell(rank == info.parameters.end() ? traces_[at]->path().string() : rank->second);
    query_.emplace(traces_[at], sql_, InterruptGuard::asked);
  }

  std::string sql_;
  std::vector<std::shared_ptr<const TraceReader>> traces_;
  std::size_t at_ = 0;
  std::optional<Query> query_;
  std::vector<std::string> columns_;
  Cell rank_;
};

void write_csv(Answer& query) {
  std::string line;
  for (const std::string& name : query.columns()) line += (line.empty() ? "" : ",") + csv_text(name);
  print(line + "\n");
  for (Row row; query.next(row);) {
    line.clear();
    for (std::size_t c = 0; c < row.size(); ++c) line += (c > 0 ? "," : "") + csv_text(row[c]);
    print(line + "\n");
  }
}

void write_json(Answer& query) {
  std::vector<std::string> keys;
  for (const std::string& name : query.columns()) keys.push_back(json_string(name));
  print("[");
  const char* before = "\n";
  for (Row row; query.next(row); before = ",\n") {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += (c > 0 ? "," : "") + keys[c] + ":" + cell_json(row[c]);
    print(fmt::format("{}{{{}}}", before, line));
  }
  print("\n]\n");
}

void write_table(Answer& query) {
  TableWriter table(query.columns());
  for (Row row; query.next(row);) table.add(row);
  table.finish();
}

int describe_tables() {
  for (const QueryTable& table : query_tables())
    print(fmt::format("{:<12}", table.name) + folded(fmt::format("{}", fmt::join(table.columns, ", ")), 12));
  return 0;
}

int query(const QueryOptions& options) {
  std::vector<std::string> files{options.file};
  std::string sql;
  for (const std::string& word : options.words) {
    if (!sql.empty()) throw usage_error("the query is one word, in quotes, and comes last: {} is before {}", sql, word);
    if (word.ends_with(".twd"))
      files.push_back(word);
    else
      sql = word;
  }
  if (sql.empty()) {
    for (const std::string& file : files) TraceReader::open(file);
    return describe_tables();
  }
  InterruptGuard guard;
  Answer query(files, std::move(sql));
  switch (options.format) {
    case Format::Table: write_table(query); break;
    case Format::Csv: write_csv(query); break;
    case Format::Json: write_json(query); break;
  }
  if (query.interrupted()) throw Interrupted("interrupted before the query was answered");
  return 0;
}

}  // namespace

void add_query(Program& program) {
  const auto options = std::make_shared<QueryOptions>();
  CLI::App& verb = program.verb(
      "query", "Ask a trace anything in SQL",
      "The trace as tables: operations, reads, writes, accesses, barriers, launches, buffers, segments, sources and "
      "findings; docs/query.md describes them, and without a query their columns are listed. A query only reads.",
      [options] { return query(*options); });
  program.complete(add_text(verb, "FILE", "", "a trace (.twd)", options->file)->required(), trace_completion());
  verb.add_option("SQL", options->words,
                  "a SELECT, in quotes; before it more traces, such as the ranks of one run: then each row begins with "
                  "its rank")
      ->type_name("");
  add_choice<Format>(program, verb, "--format", "how the answer is written (table without it)",
                     {{"table", Format::Table}, {"csv", Format::Csv}, {"json", Format::Json}}, options->format);
  program.example(verb, "twiddle query fft8.twd \"SELECT stage, count(*) FROM operations GROUP BY stage\"",
                  "How many operations each stage has");
  program.example(verb, "twiddle query fft8.twd \"SELECT * FROM writes WHERE element = 3\" --format csv",
                  "Everything that was written to element 3");
  program.example(verb, "twiddle query run.0.twd run.1.twd \"SELECT kernel, kernel_ns FROM launches\"",
                  "Each rank's launches, the rank first");
}

}  // namespace twiddle::cli
