#include "cli/output.h"

#include "base/error.h"
#include "tracer/trace/number_text.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

[[noreturn]] void output_failed(int why) {
  if (why == EPIPE) throw OutputClosed();
  throw usage_error("standard output could not be written: {}", std::strerror(why));
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_failed(errno);
}

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) output_failed(errno ? errno : EIO);
}

void flush_quietly() { std::fflush(stdout); }

void print_sentence(const std::string& sentence) {
  const std::string line = "twiddle: " + sentence + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

PendingFile::PendingFile(const fs::path& file) : file_(file) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) throw usage_error("{} is a folder; name a file in it", file.string());
  in_place_ = fs::exists(file, failed) && !fs::is_regular_file(file, failed);
  path_ = in_place_ ? file : fs::path(file.string() + fmt::format(".part-{}", ::getpid()));
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!kept_ && !in_place_) fs::remove(path_, ignored);
}

void PendingFile::keep() {
  std::error_code failed;
  if (!in_place_) fs::rename(path_, file_, failed);
  if (failed) fail(failed.value());
  kept_ = true;
}

void PendingFile::fail(int why) const {
  throw usage_error("{} could not be written: {}", file_.string(), std::strerror(why));
}

void write_file(const fs::path& file, std::span<const std::byte> content) {
  if (file == "-") {
    print({reinterpret_cast<const char*>(content.data()), content.size()});
    return;
  }
  PendingFile pending(file);
  errno = 0;
  std::FILE* out = std::fopen(pending.path().c_str(), "wb");
  if (!out) pending.fail(errno);
  const bool whole = std::fwrite(content.data(), 1, content.size(), out) == content.size();
  const int why = errno;
  if (std::fclose(out) != 0 || !whole) pending.fail(whole ? errno : why);
  pending.keep();
}

void write_file(const fs::path& file, std::string_view content) {
  write_file(file, std::as_bytes(std::span(content.data(), content.size())));
}

std::string grouped(std::uint64_t number) { return twiddle::grouped(number, ","); }

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double size = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    size /= 1024;
    unit = next;
    if (size < 1024) break;
  }
  return fmt::format("{:.1f} {}", size, unit);
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

}  // namespace twiddle::cli
