// Texels as memory: where an image's records are in it, and what the offset of a texel is that an image does not have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace twiddle {

/// The address of a record of RawAccesses that is `offset` (below 2^56) in the image that is argument number `argument`
/// (below 128): images have no addresses of their own. `argument` and `offset` 0 give the address of its range.
constexpr std::uint64_t image_address(std::size_t argument, std::uint64_t offset) {
  return (std::uint64_t(1) << 63) | (std::uint64_t(argument & 0x7f) << 56) | (offset & ((std::uint64_t(1) << 56) - 1));
}
/// The address of the range that an image's record is of; nothing for addresses in memory.
constexpr std::optional<std::uint64_t> image_of_address(std::uint64_t address) {
  if ((address >> 63) == 0) return std::nullopt;
  return address & ~((std::uint64_t(1) << 56) - 1);
}

/// The offset of a texel that is not in its image: no place in memory, but behind every one, and with the coordinates in it
/// (x of 27 bits, y of 16 and z of 12, each with a sign; what is further away counts as the furthest).
std::uint64_t offset_outside(const std::array<std::int64_t, 3>& texel);
/// The coordinates in such an offset; nothing for others.
std::optional<std::array<std::int64_t, 3>> texel_outside(std::uint64_t offset);

}  // namespace twiddle
