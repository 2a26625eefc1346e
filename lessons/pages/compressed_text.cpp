#include "lessons/pages/compressed_text.h"

#include "base/error.h"

#include <zlib.h>

#include <vector>

namespace twiddle {
namespace {

std::string base64(const std::vector<Bytef>& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
    unsigned word = 0;
    for (std::size_t i = 0; i < 3; ++i) word = word << 8 | (i < here ? bytes[at + i] : 0u);
    for (std::size_t i = 0; i < 4; ++i) out += i <= here ? letters[word >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

}  // namespace

std::string deflated_base64(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::vector<Bytef> bytes(size);
  if (compress2(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9) !=
      Z_OK)
    throw usage_error("a page of {} bytes cannot be packed", text.size());
  bytes.resize(size);
  return base64(bytes);
}

}  // namespace twiddle
