// Files that appear whole or not at all: each is written beside its place under a name of its own, and then moves there.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

namespace twiddle {

/// A file that is written beside its place: write path(), then keep() moves it there. Without that nothing new is left behind,
/// and what was there stays. A file that is replaced hands over its permissions, and of a symbolic link it is the file that it
/// leads to. A device, a pipe and what is open already (/dev/stdout) are written as they are.
class PendingFile {
 public:
  /// Throws Error (usage) for a folder.
  explicit PendingFile(const std::filesystem::path& file);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Moves it into its place. Throws Error (usage).
  void keep();
  /// The same; what went wrong, if anything.
  std::error_code try_keep();
  /// Throws Error (usage): the file could not be written, and why (errno).
  [[noreturn]] void fail(int why) const;

 private:
  friend std::error_code try_write_file(const std::filesystem::path& file, std::span<const std::byte> content);
  std::filesystem::path file_, target_, path_;
  bool in_place_ = false, kept_ = false;
};

/// Writes a whole file, or leaves what was there; the folder has to be there. What went wrong, if anything: for callers with a
/// sentence of their own.
std::error_code try_write_file(const std::filesystem::path& file, std::span<const std::byte> content);
std::error_code try_write_file(const std::filesystem::path& file, std::string_view content);

/// The same. Throws Error (`code`).
void write_file(const std::filesystem::path& file, std::span<const std::byte> content, ExitCode code = ExitCode::usage);
void write_file(const std::filesystem::path& file, std::string_view content, ExitCode code = ExitCode::usage);

}  // namespace twiddle
