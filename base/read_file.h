// Whole files from outside, bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace twiddle {

/// The bytes of a regular file of at most `max_bytes` bytes. Throws Error (unreadable) that says what is wrong: missing, a
/// directory, no permission, too large.
std::string read_file(const std::filesystem::path& file, std::uintmax_t max_bytes);

/// The bytes of a file of our own; none where it cannot be read.
std::string own_file(const std::filesystem::path& file);

}  // namespace twiddle
