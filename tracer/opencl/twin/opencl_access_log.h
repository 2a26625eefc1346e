// The log that a twin writes (rewriter/device_text.h is the device's side of this layout), and reading it.
#pragma once

#include "tracer/opencl/twin/opencl_rewriter.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// Sizes and places in the log are in 64-bit words.
struct AccessLogLayout {
  static constexpr std::uint64_t block = 32;  // neighbours that share a room

  std::uint64_t first_item = 0, items = 0, groups = 0, group_size = 1;
  std::size_t bases = 0, group_bases = 0;
  bool rows = true;                  // each item has a row of its own; else neighbours alternate
  std::vector<std::uint64_t> rooms;  // where each block's room begins, in records from the log's start, and the end

  std::uint64_t blocks() const { return (items + block - 1) / block; }
  std::uint64_t rooms_at() const { return 8; }
  std::uint64_t counts_at() const { return rooms_at() + blocks() + 1; }
  std::uint64_t bases_at() const { return counts_at() + (items + 1) / 2; }
  std::uint64_t group_bases_at() const { return bases_at() + bases; }
  std::uint64_t records_at() const { return (group_bases_at() + group_bases * groups + 1) / 2 * 2; }
  std::uint64_t size() const { return rooms.back() * 2; }
  /// Records that there is room for of an item, counted from the first.
  std::uint64_t room(std::uint64_t item) const { return (rooms[item / block + 1] - rooms[item / block]) / block; }
  /// Records that found no room, of items that wanted to write so many.
  std::uint64_t lost(std::span<const std::uint32_t> counts) const;

  /// Makes rooms for so many records of each item, as far as max_bytes goes; no room at all without counts.
  void make_rooms(std::span<const std::uint32_t> counts, std::uint64_t max_bytes);
  /// The words before the counts.
  std::vector<std::uint64_t> head() const;
  /// What the twin is compiled with.
  static std::string defines(bool rows);
};

/// What is known of an argument: the buffer's or the local memory's size in bytes.
struct ArgumentMemory {
  std::uint64_t bytes = 0;
  bool local = false;
  std::optional<ImageMemory> image{};      // what it is in place of a buffer
  std::optional<std::uint32_t> sampler{};  // sampler_bits()
};

/// `log` holds the whole log, `arguments` one entry an argument of the call (nothing for numbers). Addresses of local and
/// private memory are made up: each array has a range of its own, far from others, the same for all groups and items.
RawAccesses read_access_log(const Twin& twin, const TwinKernel& kernel, const AccessLogLayout& layout,
                            std::span<const std::uint64_t> log, std::span<const ArgumentMemory> arguments);

/// Without an address and an owner.
AccessRange range_of(const TwinVariable& variable);

}  // namespace twiddle
