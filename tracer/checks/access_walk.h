// A launch's accesses in an order that its barriers allow: what checks of accesses see.
#pragma once

#include "tracer/access/access.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <functional>

namespace twiddle {

/// One record, with its place among the barriers of its item.
struct AccessEvent {
  const LaunchInfo* launch = nullptr;
  const AccessLog* log = nullptr;
  const AccessSite* site = nullptr;
  std::uint64_t record = 0;                          // index into the log's columns
  std::uint64_t item = 0, group = 0, sub_group = 0;  // sub-groups count through the whole launch
  int epoch = 0;  // barriers of the group before it: what the rest of the trace calls an epoch
  std::uint32_t local_epoch = 0, global_epoch = 0;  // those of them that order local and global memory
  std::uint32_t grid_epoch = 0;                     // those of them that all groups meet at
  std::uint32_t sub_epoch = 0;                      // meetings of its sub-group before it
  std::uint32_t copy_epoch = 0;                     // waits for asynchronous copies before it
  std::uint32_t phase = 0;                          // meetings of its group before it, in this walk

  int buffer = -1;  // of AccessLog's columns
  std::uint64_t offset = 0, value = 0;

  std::uint64_t bytes() const { return site->chunk; }
};

/// Calls `each` for every record of the log: group after group (one that atomically found what another left comes behind it),
/// each from meeting to meeting, and between two of them sub-group
/// after sub-group and item after item. In a cooperative launch all groups go from one to the next together, and none past a
/// barrier of the grid before all others have come. `sub_group_size`: items of a sub-group.
void for_each_access(const LaunchInfo& launch, const AccessLog& log, std::uint64_t sub_group_size,
                     const std::function<void(const AccessEvent&)>& each);

}  // namespace twiddle
