#include "cli/output.h"

#include "base/error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

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

void write_file(const fs::path& file, std::span<const std::byte> content) {
  if (file == "-")
    print({reinterpret_cast<const char*>(content.data()), content.size()});
  else
    twiddle::write_file(file, content);
}

void write_file(const fs::path& file, std::string_view content) {
  write_file(file, std::as_bytes(std::span(content.data(), content.size())));
}

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

}  // namespace twiddle::cli
