#include "tracer/file/sqlite.h"

#include <sqlite3.h>

namespace twiddle::sqlite {
namespace {

constexpr int busy_milliseconds = 5000;

[[noreturn]] void fail(sqlite3* database, int code) {
  const char* message = database ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  throw Failure(database ? sqlite3_extended_errcode(database) : code, message);
}

}  // namespace

void Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Close::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &prepared, nullptr);
  handle_.reset(prepared);
  if (code != SQLITE_OK) fail(database, code);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail(sqlite3_db_handle(handle_.get()), code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), parameter + 1, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text64(handle_.get(), parameter + 1, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> blob) {
  // A null pointer would bind NULL.
  const void* data = blob.empty() ? static_cast<const void*>("") : blob.data();
  check(sqlite3_bind_blob64(handle_.get(), parameter + 1, data, blob.size(), SQLITE_TRANSIENT));
  return *this;
}

bool Statement::next() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  sqlite3* database = sqlite3_db_handle(handle_.get());
  if (code != SQLITE_DONE) {
    const int error = sqlite3_extended_errcode(database);
    const std::string message = sqlite3_errmsg(database);
    sqlite3_reset(handle_.get());
    throw Failure(error, message);
  }
  sqlite3_reset(handle_.get());
  return false;
}

int Statement::columns() const { return sqlite3_column_count(handle_.get()); }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)))
              : std::string();
}

bool Statement::is_blob(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_BLOB; }

std::span<const std::byte> Statement::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(handle_.get(), column));
  return {data, data ? static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)) : 0};
}

Database::Database(const std::filesystem::path& file, Mode mode) {
  const int flags = mode == Mode::read_only    ? SQLITE_OPEN_READONLY
                    : mode == Mode::read_write ? SQLITE_OPEN_READWRITE
                                               : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(std::filesystem::absolute(file).c_str(), &opened, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  handle_.reset(opened);
  if (code != SQLITE_OK) fail(opened, code);
  sqlite3_extended_result_codes(handle_.get(), 1);
  sqlite3_busy_timeout(handle_.get(), busy_milliseconds);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle_.get(), code);
}

void Database::distrust(int largest) {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(handle_.get(), SQLITE_LIMIT_LENGTH, largest);
  execute("PRAGMA cell_size_check = ON");
  execute("PRAGMA mmap_size = 0");
}

}  // namespace twiddle::sqlite
