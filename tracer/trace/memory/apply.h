// Applies logged operations to the memory of a replay.
#pragma once

#include "tracer/trace/block.h"
#include "tracer/trace/memory/replay_memory.h"

#include <cstdint>

namespace twiddle {

/// The accesses of `count` rows of a site from row `first` on, for ReplayMemory. `item` points at the items of those rows.
ReplayMemory::Rows rows_of(const SiteColumns& columns, const std::uint32_t* item, std::uint32_t first,
                           std::uint32_t count);

/// Calls each(site, first operation, first row, count) for the longest runs of operations [first, last) of a block that
/// come from one site; the rows of a run follow one another.
template <typename Each>
void for_site_runs(const OperationBlock& block, std::uint32_t first, std::uint32_t last, const Each& each) {
  if (block.site.empty()) {
    if (first < last) each(std::size_t(0), first, first, last - first);
    return;
  }
  while (first < last) {
    std::uint32_t end = first + 1;
    while (end < last && block.site[end] == block.site[first]) ++end;
    each(std::size_t(block.site[first]), first, block.rank[first], end - first);
    first = end;
  }
}

/// Whether an operation adds its operand to what is there, of any value: atomics with an operand of the values' type.
bool adds(const SiteColumns& columns);

/// Performs the writes of operations [first, last) of a block, in step order. An atomic adds its operand to what is there,
/// because the order in which items met in an element is not known. Without values nothing happens.
void apply(const OperationBlock& block, std::uint32_t first, std::uint32_t last, ReplayMemory& memory);
/// The same for a State, where `group_size` items make a work-group. Slower: for a few operations. Of each, at most the first
/// `writes` writes.
inline constexpr int all_writes = max_legs;
void apply(const OperationBlock& block, std::uint32_t first, std::uint32_t last, std::uint64_t group_size, State& state,
           int writes = all_writes);

}  // namespace twiddle
