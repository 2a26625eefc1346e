// The host's side of the log that trace_device.h writes: its layout, its config words and its headers.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

/// Where things are in the log, in 32-bit words. `slots` operations an item, `words` columns a slot, columns `pitch` long.
struct LogLayout {
  std::uint32_t slots = 0, words = 0, pitch = 0;

  static constexpr std::uint32_t config = 1088;        // words before the attempts
  static constexpr std::uint32_t lane_alignment = 32;  // columns of many items start at multiples of this many words
  static constexpr std::uint32_t few_alignment = 4;    // columns of fewer items, so that 16-byte values are aligned
  static constexpr std::uint32_t line_count = 32768;   // source lines that a header can tell apart

  std::size_t attempts() const { return config; }
  /// The header column of a slot; the columns of its operation follow.
  std::size_t header(std::uint32_t slot) const { return config + pitch * (std::size_t(1) + std::size_t(slot) * words); }
  std::size_t size() const { return header(slots); }
  std::size_t bytes() const { return size() * sizeof(std::uint32_t); }

  /// How many items a log of so many bytes holds, whole alignments of them; 0 when they do not fit.
  static std::uint64_t lanes_within(std::size_t bytes, std::uint32_t slots, std::uint32_t words);
  /// The length of a column for so many items.
  static std::uint32_t pitch_for(std::uint64_t lanes);
};

/// What the device keeps (TRACE_FILTER).
struct LogFilter {
  std::uint32_t first_stage = 0, last_stage = 0xffff;
  std::uint64_t first_item = 0, last_item = 0xffffffff;
  std::vector<std::pair<int, int>> lines;  // ranges of source lines; empty: all
};

/// The words before the attempts, for a window of `items` items from `first`.
std::vector<std::uint32_t> log_config(const LogLayout& layout, std::uint64_t first, std::uint64_t items, int own_stage,
                                      const LogFilter& filter);
inline constexpr std::size_t log_words_needed = 9;  // the config word in which the device asks for wider slots

/// A header word taken apart. Nothing when it names no shape: not written, or overwritten by the kernel.
struct LogHeader {
  int line = 0, stage = 0;
  Shape shape = Shape::None;
  ElementType value_type = ElementType::Float2, coefficient_type = ElementType::Float2;
};
std::optional<LogHeader> parse_header(std::uint32_t word);

/// The header without its stage: the same for every operation that one trace line logs with the same types.
constexpr std::uint32_t without_stage(std::uint32_t header) { return header & ~(0xffu << 9); }
constexpr int stage_of(std::uint32_t header) { return static_cast<int>((header >> 9) & 0xffu); }
constexpr bool is_barrier(std::uint32_t header) { return (header & 15u) == static_cast<std::uint32_t>(Shape::Barrier); }

/// Behind the header, words are in columns of pairs: single words fill a pair one after the other, wider values start a new
/// one. Says where the next `words` of a slot go, and moves `next` on.
std::uint32_t place_words(std::uint32_t& next, std::uint32_t words);

/// Words an item needs for an operation, its header included.
std::uint32_t slot_words(Shape shape, ElementType value, ElementType coefficient, Detail detail);
/// The most that any operation takes.
inline constexpr std::uint32_t max_slot_words = 53;

}  // namespace twiddle
