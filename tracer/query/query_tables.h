// The tables that Query offers, as SQLite's virtual tables.
#pragma once

#include "tracer/query/query.h"
#include "tracer/replay/replay.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3_context;
struct sqlite3_index_info;
struct sqlite3_value;

namespace twiddle {

/// What the tables of one query share. SQLite's callbacks cannot throw: what they caught is kept here.
struct QuerySource {
  std::shared_ptr<const TraceSource> trace;
  Replay replay;
  std::function<bool()> interrupted;  // never empty
  std::exception_ptr failure;
  std::map<std::string, std::vector<std::vector<Cell>>> filled;  // tables of which all rows are there, by name

  explicit QuerySource(std::shared_ptr<const TraceSource> reader) : trace(reader), replay(std::move(reader)) {}
};

/// Thrown when the user stops the query.
struct Stopped {};

/// The rows that a query asks a table for, one after another.
class QueryRows {
 public:
  virtual ~QueryRows() = default;
  /// Begins: `need` and `plan` are what QueryTableSource::plan() made of the conditions that `arguments` belong to.
  virtual void filter(int need, std::string_view plan, sqlite3_value** arguments) = 0;
  virtual bool at_end() const = 0;
  virtual void next() = 0;
  virtual void give(sqlite3_context* context, int column) const = 0;
  virtual std::int64_t id() const = 0;
};

/// A table as Query offers it to SQLite. All of these may throw.
class QueryTableSource {
 public:
  explicit QueryTableSource(QueryTable about) : table(std::move(about)) {}
  virtual ~QueryTableSource() = default;
  /// How SQLite should ask for the rows, and what that costs (xBestIndex of its virtual tables).
  virtual void plan(const QuerySource& source, sqlite3_index_info& info) const = 0;
  virtual std::unique_ptr<QueryRows> rows(QuerySource& source) const = 0;

  const QueryTable table;
};
using QueryTableSources = std::vector<std::unique_ptr<const QueryTableSource>>;

/// Adds operations, barriers, reads and writes.
void add_operation_tables(QueryTableSources& tables);
/// Adds accesses.
void add_access_table(QueryTableSources& tables);
/// Adds what is said once a launch, a buffer, a stretch of steps, a line of source or a finding: launches, buffers, segments,
/// sources, findings.
void add_metadata_tables(QueryTableSources& tables);

}  // namespace twiddle
