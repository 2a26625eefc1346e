// The CRC-32 of zlib and PNG: what says that a block of a trace file is as it was written.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace twiddle {

/// The checksum of `bytes`, or of what `before` is the checksum of followed by `bytes`.
inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace twiddle
