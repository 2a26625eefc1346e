// What a sub-group does with complex values in two buffers (trace/memory/pairs.h), as accesses to these.
#pragma once

#include "tracer/cost/sub_group_cost.h"

#include <span>
#include <vector>

namespace twiddle {

/// Whether elements that follow one another do so in memory, too: of all buffers but pairs whose parts are apart.
bool is_contiguous(const BufferInfo& buffer);

/// Accesses to the elements of one buffer.
struct PartAccesses {
  int buffer = -1;
  std::vector<SubGroupAccess> accesses;
};
/// Those to a pair's elements; of parts in one buffer both are together.
std::vector<PartAccesses> part_accesses(const BufferInfo& pair, std::span<const SubGroupAccess> accesses);

}  // namespace twiddle
