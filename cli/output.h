// Where text and files go: standard output with every failure noticed, sentences on standard error, and files.
#pragma once

#include "base/counted.h"
#include "base/write_file.h"

#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace twiddle::cli {

/// The reader of our standard output has closed it (`twiddle print … | head`): no failure, nothing more to do.
class OutputClosed : public std::exception {};

/// Writes to standard output. Throws OutputClosed, or Error (usage) when the disk behind it is full.
void print(std::string_view text);
/// Flushes standard output and reports failures that only then appear.
void finish_output();
/// The same before a sentence on standard error, ignoring failures: the sentence matters more.
void flush_quietly();

/// A sentence on standard error, as "twiddle: …".
void print_sentence(const std::string& sentence);
template <typename... Args>
void print_line(fmt::format_string<Args...> format, Args&&... args) {
  print_sentence(fmt::format(format, std::forward<Args>(args)...));
}

/// What twiddle::write_file() does; "-" is standard output. Throws Error (usage).
void write_file(const std::filesystem::path& file, std::string_view content);
void write_file(const std::filesystem::path& file, std::span<const std::byte> content);

/// 10485760 → "10.0 MiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace twiddle::cli
