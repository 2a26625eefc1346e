#include "viewer/document/request.h"

#include "viewer/document/flow.h"

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

constexpr int max_blocks = 8;  // on either side: a sub-group's long loops may fill several

}  // namespace

std::vector<Operation> request_of(Document& document, const Operation& operation) {
  std::vector<Operation> request;
  const TraceInfo& info = document.info();
  const LaunchInfo* launch = info.launch(operation.launch);
  if (!launch || operation.step == 0) return {operation};
  const SubGroup range = SubGroup::of(launch->group_size(), operation.item);
  const Segment& segment = info.segments[document.replay->segment_of(operation.step)];

  // False once the block begins before, or ends after, the sub-group.
  const auto take = [&](const OperationBlock& block) {
    const auto first = std::lower_bound(block.item.begin(), block.item.end(), range.first) - block.item.begin();
    for (auto i = static_cast<std::uint32_t>(first); i < block.count && block.item[i] < range.end; ++i) {
      if (static_cast<int>(block.slot[i]) != operation.slot) continue;
      const Operation other = block.operation(info, i);
      if (other.line == operation.line) request.push_back(other);
    }
  };
  // Indices are enough, and they need no block decoded before theirs. The picture is unfinished while one is missing.
  Flow& flow = document.flow();
  const Flow::Block here = flow.block(operation.step, true);
  if (!here) return {operation};
  take(*here);
  Flow::Block block = here;
  for (int n = 0;
       n < max_blocks && block && block->first_step > segment.first_step && block->item.front() >= range.first; ++n)
    if ((block = flow.block(block->first_step - 1, true))) take(*block);
  block = here;
  for (int n = 0; n < max_blocks && block && block->first_step + block->count < segment.end_step() &&
                  block->item.back() < range.end;
       ++n)
    if ((block = flow.block(block->first_step + block->count, true))) take(*block);
  std::sort(request.begin(), request.end(), [](const Operation& a, const Operation& b) { return a.item < b.item; });
  return request;
}

RequestCost cost_of(const TraceInfo& info, const std::vector<Operation>& request, int buffer, int which, bool write) {
  SubGroupAccess access;
  std::uint64_t bytes = 0;
  for (const Operation& operation : request) {
    const auto& list = write ? operation.writes : operation.reads;
    if (which >= list.size() || list[which].buffer != buffer) continue;
    const LaunchInfo* launch = info.launch(operation.launch);
    const SubGroup lanes = SubGroup::of(launch ? launch->group_size() : sub_group_size, operation.item);
    access.add(operation.item - lanes.first, list[which].index);
    bytes = traits(list[which].value.type).bytes;
  }
  const BufferInfo* accessed = info.buffer(buffer);
  if (access.active == 0 || (accessed && is_registers(*accessed))) return {};
  return {sector_cost({&access, 1}, bytes), bank_cost(access, bytes, write),
          static_cast<std::uint64_t>(std::popcount(access.active))};
}

}  // namespace twiddle
