#include "base/write_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <random>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

std::error_code error_of(int why) { return {why, std::generic_category()}; }

Error write_failed(ExitCode code, const fs::path& file, const std::error_code& why) {
  return Error(code, Message("{} could not be written: {}", file.string(), why.message()));
}

// What a symbolic link leads to, whether or not there is anything; empty where that is open already, as /dev/stdout is.
fs::path followed(fs::path file) {
  constexpr int max_links = 40;  // as the kernel has it
  std::error_code failed;
  for (int i = 0; i < max_links && fs::is_symlink(fs::symlink_status(file, failed)); ++i) {
    const fs::path to = fs::read_symlink(file, failed);
    if (failed) break;
    const bool open = file.native().starts_with("/proc/") || file.native().starts_with("/dev/");
    if (open && file.parent_path().filename() == "fd") return {};
    file = file.parent_path() / to;
  }
  return file;
}

// No other one has it: not of this process, not of others, not of those in another container that share the folder.
fs::path beside(const fs::path& file) {
  static std::atomic<unsigned> counter{std::random_device()()};
  constexpr std::size_t max_name = 200;  // file systems take 255 bytes
  return file.parent_path() /
         fmt::format("{}.part-{}-{:x}", file.filename().string().substr(0, max_name), ::getpid(), ++counter);
}

std::error_code write_all(int out, std::span<const std::byte> content) {
  while (!content.empty()) {
    const ssize_t wrote = ::write(out, content.data(), std::min<std::size_t>(content.size(), std::size_t(1) << 30));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return error_of(wrote < 0 ? errno : EIO);
    content = content.subspan(static_cast<std::size_t>(wrote));
  }
  return {};
}

}  // namespace

PendingFile::PendingFile(const fs::path& file) : file_(file) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) throw usage_error("{} is a folder; name a file in it", file.string());
  target_ = followed(file);
  in_place_ = target_.empty() || (fs::exists(file, failed) && !fs::is_regular_file(file, failed));
  path_ = in_place_ ? file : beside(target_);
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!kept_ && !in_place_) fs::remove(path_, ignored);
}

std::error_code PendingFile::try_keep() {
  std::error_code failed;
  if (!in_place_) {
    const fs::file_status there = fs::status(target_, failed);
    if (fs::is_regular_file(there)) fs::permissions(path_, there.permissions(), failed);
    fs::rename(path_, target_, failed);
  }
  kept_ = !failed;
  return failed;
}

void PendingFile::keep() {
  if (const std::error_code failed = try_keep()) throw write_failed(ExitCode::usage, file_, failed);
}

void PendingFile::fail(int why) const { throw write_failed(ExitCode::usage, file_, error_of(why)); }

std::error_code try_write_file(const fs::path& file, std::span<const std::byte> content) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) return error_of(EISDIR);
  PendingFile pending(file);
  // What others may not read of the old file they never may of the new one.
  const bool replaces = fs::exists(pending.target_, failed);
  const int out = pending.in_place_ ? ::open(pending.path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)
                                    : ::open(pending.path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                             replaces ? S_IRUSR | S_IWUSR : 0666);
  if (out < 0) return error_of(errno);
  failed = write_all(out, content);
  if (::close(out) != 0 && !failed) failed = error_of(errno);
  return failed ? failed : pending.try_keep();
}

std::error_code try_write_file(const fs::path& file, std::string_view content) {
  return try_write_file(file, std::as_bytes(std::span(content.data(), content.size())));
}

void write_file(const fs::path& file, std::span<const std::byte> content, ExitCode code) {
  if (const std::error_code failed = try_write_file(file, content)) throw write_failed(code, file, failed);
}

void write_file(const fs::path& file, std::string_view content, ExitCode code) {
  write_file(file, std::as_bytes(std::span(content.data(), content.size())), code);
}

}  // namespace twiddle
