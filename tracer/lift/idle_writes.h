// Writes whose values reach no result.
#pragma once

#include "tracer/access/access.h"

#include <cstdint>
#include <vector>

namespace twiddle {

struct IdleWrites {
  std::uint64_t count = 0;  // of the given ones
  std::vector<bool>
      items;  // by item of the log: its values reach no memory that outlives the launch; empty: none is such
};

/// Of `writes`, records ascending, those that are of no use: writes to local memory whose values no result is made of. Kernels of
/// batches have items behind the batch's end, which compute with what is there and keep it to themselves; they may help to
/// fill a table for others first. What an item reads after its last write of use is of no use either. Each `group_items` of the
/// launch have local memory of their own; 0: all share it.
IdleWrites idle_writes(const AccessLog& log, const std::vector<std::uint64_t>& writes, std::uint64_t group_items = 0);

}  // namespace twiddle
