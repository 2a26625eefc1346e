// SQLite with owners for its handles and its errors as exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace twiddle::sqlite {

/// What SQLite reported; the caller, who knows the file's role, turns it into an Error with a sentence.
class Failure : public std::runtime_error {
 public:
  Failure(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_ & 0xff; }

 private:
  int code_;
};

/// A prepared statement. Parameters and columns count from 0.
class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, long long value) { return bind(parameter, static_cast<std::int64_t>(value)); }
  Statement& bind(int parameter, std::uint64_t value) { return bind(parameter, static_cast<std::int64_t>(value)); }
  Statement& bind(int parameter, int value) { return bind(parameter, std::int64_t(value)); }
  Statement& bind(int parameter, std::uint32_t value) { return bind(parameter, std::int64_t(value)); }
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::span<const std::byte> blob);

  /// Steps to the next row; false at the end, after which the statement can be bound and stepped again.
  bool next();
  /// Binds the first parameters and performs the statement; rows that it gives are passed over.
  template <typename... Values>
  void run(const Values&... values) {
    int parameter = 0;
    (bind(parameter++, values), ...);
    while (next()) {}
  }
  /// Forgets the rows that were not asked for.
  void reset();

  int columns() const;
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::span<const std::byte> blob(int column) const;  // until the next step

 private:
  void check(int code) const;
  sqlite3_stmt* handle_ = nullptr;
};

class Database {
 public:
  enum class Mode { read_only, read_write, create };
  Database() = default;
  /// `file` is made absolute, so that no name has a special meaning.
  Database(const std::filesystem::path& file, Mode mode);
  ~Database();
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  explicit operator bool() const { return handle_ != nullptr; }
  void execute(const std::string& sql);
  Statement prepare(std::string_view sql) const { return Statement(handle_, sql); }
  /// Refuses everything that a hostile schema might try, and cells and text larger than `largest` bytes.
  void distrust(int largest);
  void close();

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace twiddle::sqlite
