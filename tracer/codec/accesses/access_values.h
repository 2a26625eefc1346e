// The values of accesses as bytes: what a launch's operations, or the state before and after it, say is not stored again.
#pragma once

#include "tracer/access/access.h"
#include "tracer/codec/accesses/launch_values.h"
#include "tracer/trace/bytes.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace twiddle {

/// Items of a piece of a log that made the same accesses in the same order: `sites`, and which they are, counted in the piece.
struct AccessShape {
  std::vector<std::uint32_t> sites;
  std::vector<std::uint32_t> items;
};

/// Bytes of a record's value of this site, 1, 2, 4 or 8.
std::size_t value_width(const AccessSite& site);

/// Gives what is known of the launch; only called where it matters.
using FindLaunchValues = std::function<std::shared_ptr<const LaunchValues>()>;

/// The values of a piece: `log` from record `begin[0]` on, its items from item `first_item` of the launch on. `known`: null
/// where nothing is known of the launch.
void write_access_values(ByteWriter& out, const AccessLog& log, std::span<const std::uint64_t> begin,
                         std::uint64_t first_item, std::span<const AccessShape> shapes,
                         std::span<const AccessSite> sites, const LaunchValues* known);

/// The inverse: fills log.value. Untrusted: anything malformed throws Error (unreadable).
void read_access_values(ByteReader& in, AccessLog& log, std::span<const AccessShape> shapes,
                        std::span<const AccessSite> sites, const FindLaunchValues& find);

}  // namespace twiddle
