// The tables of a query that are filled once: launches, buffers, segments, sources, and findings, for which the trace is
// checked when a query first asks for them.

#include "tracer/checks/check.h"
#include "tracer/query/query_tables.h"

#include <fmt/ranges.h>
#include <sqlite3.h>

#include <array>
#include <new>
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
    rows.push_back({number(launch.number),
                    launch.kernel,
                    text_or_nothing(launch.label),
                    positive(static_cast<std::uint64_t>(launch.stage)),
                    file ? Cell(file->name) : Cell(),
                    whole(launch.items()),
                    whole(launch.group_size()),
                    number(launch.dimensions),
                    whole(launch.global[0]),
                    whole(launch.global[1]),
                    whole(launch.global[2]),
                    whole(launch.local[0]),
                    whole(launch.local[1]),
                    whole(launch.local[2]),
                    fmt::format("{}", fmt::join(launch.arguments, ", ")),
                    launch.kernel_ns,
                    whole(launch.attempted),
                    whole(launch.kept),
                    whole(launch.inconsistent_reads),
                    whole(launch.unexplained)});
  }
  return rows;
}

Rows buffers(const QuerySource& source) {
  const TraceInfo& info = source.trace->info();
  Rows rows;
  for (const BufferInfo& buffer : info.buffers)
    rows.push_back({buffer.name, std::string(traits(buffer.type).name), whole(buffer.count),
                    fmt::format("{}", fmt::join(buffer.shape, "x")), std::string(name_of(buffer.space)),
                    number(buffer.initialised ? 1 : 0), positive(static_cast<std::uint64_t>(buffer.launch))});
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

struct Table {
  const char* name;
  std::vector<std::string> columns;
  Rows (*rows)(const QuerySource&);
};

const std::array<Table, 5>& tables() {
  static const std::array<Table, 5> all = {{
      {"launches",
       {"launch",
        "kernel",
        "label",
        "stage",
        "source",
        "items",
        "group_size",
        "dimensions",
        "global_x",
        "global_y",
        "global_z",
        "local_x",
        "local_y",
        "local_z",
        "arguments",
        "kernel_ns",
        "attempted",
        "kept",
        "inconsistent_reads",
        "unexplained"},
       launches},
      {"buffers", {"buffer", "type", "count", "shape", "space", "initialised", "launch"}, buffers},
      {"segments", {"launch", "epoch", "stage", "first_step", "count", "items", "op", "span"}, segments},
      {"sources", {"source", "line", "text"}, sources},
      {"findings",
       {"class", "severity", "launch", "stage", "epoch", "step", "items", "buffer", "space", "element", "source",
        "line", "message", "advice", "occurrences"},
       findings},
  }};
  return all;
}

// ---- As SQLite wants it: a table of rows that are already there ----

struct Context {
  QuerySource* source;
  const Table* table;
};
struct Virtual : sqlite3_vtab {
  Context context{};
  bool filled = false;
  Rows rows;
};
struct Cursor : sqlite3_vtab_cursor {
  std::size_t row = 0;
};

const Rows& rows_of(const sqlite3_vtab_cursor* cursor) { return static_cast<const Virtual*>(cursor->pVtab)->rows; }

int connect(sqlite3* database, void* context, int, const char* const*, sqlite3_vtab** made, char**) {
  const auto& [source, table] = *static_cast<const Context*>(context);
  try {
    const int code = sqlite3_declare_vtab(
        database, fmt::format("CREATE TABLE x(\"{}\")", fmt::join(table->columns, "\", \"")).c_str());
    if (code != SQLITE_OK) return code;
    auto fresh = std::make_unique<Virtual>();
    static_cast<sqlite3_vtab&>(*fresh) = {};
    fresh->context = {source, table};
    *made = fresh.release();
    return SQLITE_OK;
  } catch (...) {
    source->failure = std::current_exception();
    return SQLITE_ERROR;
  }
}

int fill(Virtual& table) {
  if (table.filled) return SQLITE_OK;
  QuerySource& source = *table.context.source;
  try {
    table.rows = table.context.table->rows(source);
    table.filled = !source.interrupted();
    return table.filled ? SQLITE_OK : SQLITE_INTERRUPT;
  } catch (...) {
    source.failure = std::current_exception();
    return SQLITE_ERROR;
  }
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

const sqlite3_module& module() {
  static const sqlite3_module all = [] {
    sqlite3_module made{};
    made.xConnect = connect;
    made.xBestIndex = [](sqlite3_vtab*, sqlite3_index_info* info) {
      // Few, as tables of operations go.
      info->estimatedCost = 100;
      info->estimatedRows = 100;
      return SQLITE_OK;
    };
    made.xDisconnect = [](sqlite3_vtab* table) {
      delete static_cast<Virtual*>(table);
      return SQLITE_OK;
    };
    made.xOpen = [](sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
      *cursor = new (std::nothrow) Cursor{};
      return *cursor ? SQLITE_OK : SQLITE_NOMEM;
    };
    made.xClose = [](sqlite3_vtab_cursor* cursor) {
      delete static_cast<Cursor*>(cursor);
      return SQLITE_OK;
    };
    made.xFilter = [](sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
      static_cast<Cursor*>(cursor)->row = 0;
      return fill(*static_cast<Virtual*>(cursor->pVtab));
    };
    made.xNext = [](sqlite3_vtab_cursor* cursor) {
      ++static_cast<Cursor*>(cursor)->row;
      return SQLITE_OK;
    };
    made.xEof = [](sqlite3_vtab_cursor* cursor) {
      return static_cast<const Cursor*>(cursor)->row >= rows_of(cursor).size() ? 1 : 0;
    };
    made.xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
      give(context, rows_of(cursor)[static_cast<const Cursor*>(cursor)->row][column]);
      return SQLITE_OK;
    };
    made.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
      *row = static_cast<sqlite3_int64>(static_cast<const Cursor*>(cursor)->row);
      return SQLITE_OK;
    };
    return made;
  }();
  return all;
}

}  // namespace

void add_metadata_tables(sqlite3* database, QuerySource& source) {
  for (const Table& table : tables())
    sqlite3_create_module_v2(database, table.name, &module(), new Context{&source, &table},
                             [](void* context) { delete static_cast<Context*>(context); });
}

std::vector<QueryTable> metadata_tables() {
  std::vector<QueryTable> all;
  for (const Table& table : tables()) all.push_back({table.name, table.columns});
  return all;
}

}  // namespace twiddle
