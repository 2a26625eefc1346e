// Accesses as bytes: items that make the same accesses in the same order are a shape, and their addresses are columns.
#pragma once

#include "tracer/access/access.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twiddle {

/// The accesses of items first … first + count − 1 of the log, counted in the log. `sites` says how wide each value is.
std::vector<std::byte> encode_accesses(const AccessLog& log, std::uint64_t first, std::uint64_t count,
                                       std::span<const AccessSite> sites);

/// The inverse. Untrusted: wants exactly `items` items with `records` records whose sites and buffers there are; anything
/// else throws Error (unreadable). `sites` of the result stays empty.
AccessLog decode_accesses(std::span<const std::byte> bytes, std::uint64_t first_item, std::uint64_t items,
                          std::uint64_t records, std::span<const AccessSite> sites, std::size_t buffers);

}  // namespace twiddle
