// The tables that Query offers, as SQLite's virtual tables.
#pragma once

#include "tracer/query/query.h"
#include "tracer/replay/replay.h"

#include <exception>
#include <string>
#include <vector>

struct sqlite3;

namespace twiddle {

/// What the tables of one query share. SQLite's callbacks cannot throw: what they caught is kept here.
struct QuerySource {
  std::shared_ptr<const TraceSource> trace;
  Replay replay;
  std::function<bool()> interrupted;  // never empty
  std::exception_ptr failure;

  explicit QuerySource(std::shared_ptr<const TraceSource> reader) : trace(reader), replay(std::move(reader)) {}
};

/// Offers operations, barriers, reads and writes. `source` outlives the database.
void add_operation_tables(sqlite3* database, QuerySource& source);
std::vector<QueryTable> operation_tables();

/// Offers what is said once a launch, a buffer, a stretch of steps, a line of source or a finding: launches, buffers, segments,
/// sources, findings.
void add_metadata_tables(sqlite3* database, QuerySource& source);
std::vector<QueryTable> metadata_tables();

}  // namespace twiddle
