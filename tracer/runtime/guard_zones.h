// Zones of a known pattern before and behind a device buffer, so that a kernel's write outside of it harms nothing and is
// noticed after the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace twiddle {

/// Bytes of the zone on each side of a buffer: as wide as the buffer itself, so that an index that is off by a stage or by a
/// factor of two still falls into it, within 64 KiB and 1 MiB. A multiple of every device's alignment.
constexpr std::size_t guard_bytes(std::size_t buffer_bytes) {
  constexpr std::size_t least = std::size_t(64) << 10, most = std::size_t(1) << 20;
  const std::size_t bytes = (buffer_bytes + 4095) / 4096 * 4096;
  return bytes < least ? least : bytes > most ? most : bytes;
}

/// What a zone of that many bytes holds while it has not been written. Valid until the next call.
std::span<const std::byte> guard_pattern(std::size_t bytes);

/// The copies between host and device that looking takes; offsets count from the first zone's start.
struct GuardedMemory {
  std::size_t bytes = 0;  // of the buffer between the zones
  std::function<void(std::size_t offset, std::span<std::byte>)> read;
  std::function<void(std::size_t offset, std::span<const std::byte>)> write;
};

/// Fills both zones.
void fill_guards(const GuardedMemory& memory);

/// The bytes nearest to the buffer that were changed in each zone, counted from the buffer's start (negative: before it).
/// Zones that were written are filled again.
std::vector<std::int64_t> changed_guards(const GuardedMemory& memory);

}  // namespace twiddle
