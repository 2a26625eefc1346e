// The CRC-32 of zlib and PNG: what says that a block of a trace file is as it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twiddle {

/// The checksum of `bytes`, or of what `before` is the checksum of followed by `bytes`.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace twiddle
