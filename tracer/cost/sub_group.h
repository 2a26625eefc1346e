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

  std::uint64_t items() const { return end - first; }
  bool holds(std::uint64_t item) const { return item >= first && item < end; }
};

/// How the sub-groups of a launch are numbered: through the work-groups, in order.
struct SubGroups {
  std::uint64_t group_items, width, per_group;

  explicit SubGroups(std::uint64_t items_of_a_group, std::uint64_t items_of_a_sub_group = sub_group_size)
      : group_items(std::max<std::uint64_t>(items_of_a_group, 1)),
        width(std::clamp<std::uint64_t>(items_of_a_sub_group, 1, group_items)),
        per_group((group_items + width - 1) / width) {}

  std::uint64_t number_of(std::uint64_t item) const {
    return item / group_items * per_group + item % group_items / width;
  }
  /// Of a launch with so many items.
  std::uint64_t count(std::uint64_t items) const { return (items + group_items - 1) / group_items * per_group; }
  SubGroup at(std::uint64_t number) const {
    const std::uint64_t local = number % per_group * width, first = number / per_group * group_items + local;
    return {first, first + std::min(width, group_items - local)};
  }
  SubGroup of_item(std::uint64_t item) const { return at(number_of(item)); }
};

/// A group's arrays that each item has for itself, a row of them an item, as {items, elements, 1}: registers, which cost
/// nothing.
inline bool is_registers(const BufferInfo& buffer) { return buffer.space == Space::Local && buffer.shape.size() == 3; }

}  // namespace twiddle
