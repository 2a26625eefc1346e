#include "lessons/pages/packed_text.h"

#include "base/error.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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

// Bytes as five characters for four, the last of them as few as tell them: shorter than base64. The characters are those that need
// no escape in JSON and in a script; lesson.js has them as well.
std::string base85(const std::vector<Bytef>& bytes) {
  constexpr std::string_view letters =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_|~";
  static_assert(letters.size() == 85);
  std::string out;
  out.reserve((bytes.size() + 3) / 4 * 5);
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    const std::size_t here = std::min<std::size_t>(4, bytes.size() - at);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word = word << 8 | (i < here ? bytes[at + i] : 0u);
    std::array<char, 5> five{};
    for (std::size_t i = five.size(); i-- > 0; word /= 85) five[i] = letters[word % 85];
    out.append(five.data(), here + 1);
  }
  return out;
}

}  // namespace

std::string packed(std::string_view text) { return base64(std::vector<Bytef>(text.begin(), text.end())); }

std::string packed_deflated(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::vector<Bytef> bytes(size);
  if (compress2(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9) !=
      Z_OK)
    throw usage_error("a page of {} bytes cannot be packed", text.size());
  bytes.resize(size);
  return base85(bytes);
}

}  // namespace twiddle
