// Which work-items run in lockstep.
#pragma once

#include "tracer/trace/trace.h"

#include <algorithm>
#include <cstdint>

namespace twiddle {

/// Items of a sub-group. CUDA's warps have 32; devices that do not say are judged by the same number.
inline constexpr std::uint64_t sub_group_size = 32;

/// The items [first, end) of a launch; the last sub-group of a work-group may be short.
struct SubGroup {
  std::uint64_t first = 0, end = 0;

  /// The sub-group of an item in a launch with `group_items` items a work-group.
  static SubGroup of(std::uint64_t group_items, std::uint64_t item) {
    group_items = std::max<std::uint64_t>(group_items, 1);
    const std::uint64_t local = item % group_items / sub_group_size * sub_group_size;
    const std::uint64_t first = item - item % group_items + local;
    return {first, first + std::min(sub_group_size, group_items - local)};
  }
  std::uint64_t items() const { return end - first; }
  bool holds(std::uint64_t item) const { return item >= first && item < end; }
};

/// A group's arrays that each item has for itself, a row of them an item, as {items, elements, 1}: registers, which cost
/// nothing.
inline bool is_registers(const BufferInfo& buffer) { return buffer.space == Space::Local && buffer.shape.size() == 3; }

}  // namespace twiddle
