#include "tracer/file/checksum.h"

#include <array>
#include <cstring>

namespace twiddle {
namespace {

// tables[k][b]: the checksum's change for byte b followed by k zero bytes, so that eight bytes are taken at a time.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t value = b;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xEDB88320u : 0u);
    tables[0][b] = value;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr Tables tables = make_tables();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint8_t b[8];
    std::memcpy(b, bytes.data(), 8);
    crc = tables[7][b[0] ^ (crc & 0xff)] ^ tables[6][b[1] ^ ((crc >> 8) & 0xff)] ^
          tables[5][b[2] ^ ((crc >> 16) & 0xff)] ^ tables[4][b[3] ^ (crc >> 24)] ^ tables[3][b[4]] ^ tables[2][b[5]] ^
          tables[1][b[6]] ^ tables[0][b[7]];
  }
  for (const std::byte byte : bytes) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint8_t>(byte)) & 0xff];
  return ~crc;
}

}  // namespace twiddle
