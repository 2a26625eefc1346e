// Accesses as bytes: items that make the same accesses in the same order are a shape, and their addresses are columns.
#pragma once

#include "tracer/access/access.h"
#include "tracer/codec/accesses/access_values.h"
#include "tracer/codec/accesses/launch_values.h"
#include "tracer/trace/trace_source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twiddle {

/// The accesses of items first … first + count − 1 of the log, counted in the log. `sites` says how wide each value is. `known`
/// covers these items of the log's launch, or is null: their values are then kept as they are.
std::vector<std::byte> encode_accesses(const AccessLog& log, std::uint64_t first, std::uint64_t count,
                                       std::span<const AccessSite> sites, const LaunchValues* known = nullptr);

/// How files have the values of accesses: up to version 3 as they are.
enum class AccessFormat : std::uint8_t { PlainValues, PredictedValues };

/// The inverse. Untrusted: wants exactly `items` items with `records` records whose sites and buffers there are; anything
/// else throws Error (unreadable). `sites` of the result stays empty. `find` gives what `known` was, where values need it.
AccessLog decode_accesses(std::span<const std::byte> bytes, std::uint64_t first_item, std::uint64_t items,
                          std::uint64_t records, std::span<const AccessSite> sites, std::size_t buffers,
                          AccessFormat format, const FindLaunchValues& find);

/// The accesses of a trace's entry, whose row these bytes are.
AccessLog decode_accesses(std::span<const std::byte> bytes, const AccessEntry& entry, const TraceInfo& info,
                          AccessFormat format, LaunchValuesFinder& finder);

}  // namespace twiddle
