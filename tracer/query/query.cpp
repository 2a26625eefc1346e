#include "tracer/query/query.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/file/sqlite.h"
#include "tracer/query/query_tables.h"

#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <new>

namespace twiddle {
namespace {

constexpr int rows_between_questions = 20'000;  // SQLite's instructions, a dozen a row, before `interrupted` is asked
constexpr int longest_sql = 1 << 20;
constexpr int max_cell_bytes = 1 << 24;
constexpr const char* settings = "PRAGMA cache_size = -65536";  // KiB before a sort goes to a temporary file

// A query may read and compute, nothing else.
int authorize(void*, int action, const char*, const char* function, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return std::string_view(function) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

// "; did you mean stage?" after "no such column: stag".
Message hint(const std::string& message) {
  const std::size_t colon = message.rfind(": ");
  if (colon == std::string::npos) return {};
  std::string word = message.substr(colon + 2);
  if (const std::size_t dot = word.rfind('.'); dot != std::string::npos) word.erase(0, dot + 1);
  std::vector<std::string> names;
  for (const QueryTable& table : query_tables()) {
    if (message.starts_with("no such table")) names.push_back(table.name);
    if (message.starts_with("no such column")) names.insert(names.end(), table.columns.begin(), table.columns.end());
  }
  names.erase(std::remove(names.begin(), names.end(), word), names.end());  // another table's, which is no help
  return names.empty() ? Message()
                       : did_you_mean(word, names, Message("; twiddle query FILE without a query lists what there is"));
}

bool only_space(const char* rest) {
  return std::all_of(rest, rest + std::char_traits<char>::length(rest),
                     [](unsigned char c) { return std::isspace(c) || c == ';'; });
}

Cell cell_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::int64_t(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
      const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
      return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)))
                  : std::string();
    }
    default: return {};
  }
}

// ---- The tables as SQLite has them ----

const QueryTableSources& all_tables() {
  static const QueryTableSources all = [] {
    QueryTableSources tables;
    add_operation_tables(tables);
    add_access_table(tables);
    add_metadata_tables(tables);
    return tables;
  }();
  return all;
}

struct Context {
  QuerySource& source;
  const QueryTableSource& table;
};
struct VirtualTable : sqlite3_vtab {
  explicit VirtualTable(const Context& of) : sqlite3_vtab{}, context(of) {}
  Context context;
};
struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(const Context& context)
      : sqlite3_vtab_cursor{}, source(context.source), rows(context.table.rows(context.source)) {}
  QuerySource& source;
  std::unique_ptr<QueryRows> rows;
};
const Context& context_of(sqlite3_vtab* table) { return static_cast<VirtualTable*>(table)->context; }
Cursor& cursor_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

// Runs what may throw; SQLite is told, and the query finds the reason in its source.
template <typename Action>
int caught(QuerySource& source, const Action& action) {
  try {
    action();
    return SQLITE_OK;
  } catch (const Stopped&) { return SQLITE_INTERRUPT; } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    source.failure = std::current_exception();
    return SQLITE_ERROR;
  }
}

int connect(sqlite3* database, void* context, int, const char* const*, sqlite3_vtab** made, char**) {
  const Context& of = *static_cast<const Context*>(context);
  const std::string sql = fmt::format("CREATE TABLE x(\"{}\")", fmt::join(of.table.table.columns, "\", \""));
  if (const int code = sqlite3_declare_vtab(database, sql.c_str()); code != SQLITE_OK) return code;
  return caught(of.source, [&] { *made = new VirtualTable(of); });
}

const sqlite3_module virtual_tables = [] {
  sqlite3_module made{};
  made.xConnect = connect;
  made.xBestIndex = [](sqlite3_vtab* table, sqlite3_index_info* info) {
    const Context& of = context_of(table);
    return caught(of.source, [&] { of.table.plan(of.source, *info); });
  };
  made.xDisconnect = [](sqlite3_vtab* table) {
    delete static_cast<VirtualTable*>(table);
    return SQLITE_OK;
  };
  made.xOpen = [](sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
    const Context& of = context_of(table);
    return caught(of.source, [&] { *cursor = new Cursor(of); });
  };
  made.xClose = [](sqlite3_vtab_cursor* cursor) {
    delete &cursor_of(cursor);
    return SQLITE_OK;
  };
  made.xFilter = [](sqlite3_vtab_cursor* cursor, int need, const char* plan, int, sqlite3_value** arguments) {
    Cursor& self = cursor_of(cursor);
    return caught(self.source, [&] { self.rows->filter(need, plan ? plan : "", arguments); });
  };
  made.xNext = [](sqlite3_vtab_cursor* cursor) {
    return caught(cursor_of(cursor).source, [&] { cursor_of(cursor).rows->next(); });
  };
  made.xEof = [](sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).rows->at_end() ? 1 : 0; };
  made.xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    return caught(cursor_of(cursor).source, [&] { cursor_of(cursor).rows->give(context, column); });
  };
  made.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
    *row = cursor_of(cursor).rows->id();
    return SQLITE_OK;
  };
  return made;
}();

}  // namespace

struct Query::Implementation {
  QuerySource source;
  sqlite::Handle<sqlite3> database;
  sqlite::Handle<sqlite3_stmt> statement;
  std::vector<std::string> columns;
  bool interrupted = false;

  explicit Implementation(std::shared_ptr<const TraceSource> trace) : source(std::move(trace)) {}

  void open() {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
    database.reset(opened);
    if (code != SQLITE_OK) throw usage_error("SQLite cannot be started: {}", sqlite3_errstr(code));
    sqlite3_exec(opened, settings, nullptr, nullptr, nullptr);
    // SQLite sets a table up when it is first named, which takes more than a query may do: so before the rules hold.
    for (const auto& table : all_tables()) {
      sqlite3_create_module_v2(opened, table->table.name.c_str(), &virtual_tables, new Context{source, *table},
                               [](void* context) { delete static_cast<Context*>(context); });
      prepare("SELECT 1 FROM " + table->table.name);
    }
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);  // "stag" is no text, but a name misspelt
    sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, max_cell_bytes);
    sqlite3_limit(opened, SQLITE_LIMIT_SQL_LENGTH, longest_sql);
    sqlite3_set_authorizer(opened, authorize, nullptr);
    sqlite3_progress_handler(
        opened, rows_between_questions,
        [](void* self) { return static_cast<Implementation*>(self)->source.interrupted() ? 1 : 0; }, this);
  }

  void prepare(const std::string& sql) {
    sqlite3_stmt* prepared = nullptr;
    const char* rest = nullptr;
    const int code =
        sqlite3_prepare_v2(database.get(), sql.c_str(), static_cast<int>(sql.size()) + 1, &prepared, &rest);
    statement.reset(prepared);
    if (code != SQLITE_OK) fail();
    if (!prepared) throw usage_error("there is no query in \"{}\"; write a SELECT", sql);
    if (!only_space(rest)) throw usage_error("one query at a time: what follows the first ';' is left over");
    columns.clear();
    for (int c = 0; c < sqlite3_column_count(prepared); ++c) {
      const char* name = sqlite3_column_name(prepared, c);
      columns.emplace_back(name ? name : "");
    }
  }

  [[noreturn]] void fail() {
    if (source.failure) std::rethrow_exception(source.failure);
    const int code = sqlite3_errcode(database.get());
    if (code == SQLITE_NOMEM) throw std::bad_alloc();
    std::string message = sqlite3_errmsg(database.get());
    std::replace(message.begin(), message.end(), '\n', ' ');
    if (code == SQLITE_AUTH || message.starts_with("not authorized") || message.ends_with("may not be modified"))
      throw usage_error("a query only reads the trace: write a SELECT");
    throw usage_error("the query cannot be answered: {}{}", message, hint(message));
  }
};

Query::Query(std::shared_ptr<const TraceSource> trace, const std::string& sql, std::function<bool()> interrupted)
    : self_(std::make_unique<Implementation>(std::move(trace))) {
  self_->source.interrupted = interrupted ? std::move(interrupted) : [] { return false; };
  self_->open();
  self_->prepare(sql);
}

Query::~Query() = default;

const std::vector<std::string>& Query::columns() const { return self_->columns; }
bool Query::interrupted() const { return self_->interrupted; }

bool Query::next(std::vector<Cell>& row) {
  sqlite3_stmt* statement = self_->statement.get();
  const int code = sqlite3_step(statement);
  if ((code & 0xff) == SQLITE_INTERRUPT) self_->interrupted = true;
  if (code == SQLITE_DONE || self_->interrupted) return false;
  if (code != SQLITE_ROW) self_->fail();
  row.clear();
  for (int c = 0; c < sqlite3_column_count(statement); ++c) row.push_back(cell_of(statement, c));
  return true;
}

std::vector<QueryTable> query_tables() {
  std::vector<QueryTable> tables;
  for (const auto& table : all_tables()) tables.push_back(table->table);
  return tables;
}

}  // namespace twiddle
