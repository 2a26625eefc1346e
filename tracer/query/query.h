// A trace as tables that SQL can ask (docs/query.md describes them). Nothing is copied: the tables are views of the file
// that decode what a query needs of it while it runs.
#pragma once

#include "tracer/file/trace_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace twiddle {

/// What is in a row's column: nothing, a whole number, a number, or text.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// One SELECT over a trace, row by row, in a fixed amount of memory beside that of the trace's buffers (sorting goes to
/// temporary files). It can only read, and only this trace. Throws Error: usage for what is no SELECT over these tables, in
/// one sentence; unreadable when the file is damaged.
class Query {
 public:
  /// `interrupted` is asked every now and then: true ends the query.
  Query(std::shared_ptr<const TraceSource> trace, const std::string& sql, std::function<bool()> interrupted = {});
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  const std::vector<std::string>& columns() const;
  /// Fills in the next row; false after the last one, or when interrupted.
  bool next(std::vector<Cell>& row);
  bool interrupted() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

/// The tables with their columns, in the order in which they are described.
struct QueryTable {
  std::string name;
  std::vector<std::string> columns;
};
std::vector<QueryTable> query_tables();

}  // namespace twiddle
