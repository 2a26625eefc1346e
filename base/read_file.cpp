#include "base/read_file.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace twiddle {

std::string read_file(const std::filesystem::path& file, std::uintmax_t max_bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw unreadable("there is no file {}", file.string());
  if (std::filesystem::is_directory(status)) throw unreadable("{} is a folder, not a file", file.string());
  if (!std::filesystem::is_regular_file(status)) throw unreadable("{} is not a regular file", file.string());
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) throw unreadable("{} cannot be read: {}", file.string(), error.message());
  if (size > max_bytes)
    throw unreadable("{} has {} bytes, more than the {} that can be read", file.string(), size, max_bytes);

  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw unreadable("{} cannot be opened: {}", file.string(), std::strerror(errno));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(stream.gcount()) != bytes.size())
    throw unreadable("{} could not be read to its end", file.string());
  return bytes;
}

std::string own_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace twiddle
