// SQLite with owners for its handles and its errors as exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
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

struct Close {
  void operator()(sqlite3* database) const;
  void operator()(sqlite3_stmt* statement) const;
};
template <typename T>
using Handle = std::unique_ptr<T, Close>;

/// A prepared statement. Parameters and columns count from 0.
class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* database, std::string_view sql);

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

  int columns() const;
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  bool is_blob(int column) const;
  std::span<const std::byte> blob(int column) const;  // until the next step

 private:
  void check(int code) const;
  Handle<sqlite3_stmt> handle_;
};

class Database {
 public:
  enum class Mode { read_only, read_write, create };
  Database() = default;
  /// `file` is made absolute, so that no name has a special meaning.
  Database(const std::filesystem::path& file, Mode mode);

  explicit operator bool() const { return handle_ != nullptr; }
  void execute(const std::string& sql);
  Statement prepare(std::string_view sql) const { return Statement(handle_.get(), sql); }
  /// Refuses everything that a hostile schema might try, and cells and text larger than `largest` bytes.
  void distrust(int largest);
  void close() { handle_.reset(); }

 private:
  Handle<sqlite3> handle_;
};

}  // namespace twiddle::sqlite
