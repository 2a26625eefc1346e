// A request: what the items of a sub-group do at the same time, in lockstep, as far as the log shows it.
#pragma once

#include "tracer/cost/sub_group_cost.h"
#include "viewer/document/document.h"

#include <cstdint>
#include <vector>

namespace twiddle {

/// The operations of the other items of an operation's sub-group that come from the same trace line at the same turn, itself
/// included, by ascending item.
std::vector<Operation> request_of(Document& document, const Operation& operation);

/// What one access of a request costs: sectors in global memory, banks in local memory.
struct RequestCost : SectorCost {
  BankCost banks;
  std::uint64_t lanes = 0;  // items that take part
};
/// Of the `which`-th read, or write, of every operation, where it is of this buffer.
RequestCost cost_of(const TraceInfo& info, const std::vector<Operation>& request, int buffer, int which, bool write);

}  // namespace twiddle
