#include "viewer/document/request.h"

#include "viewer/document/flow.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr int max_blocks = 8;  // on either side: a sub-group's long loops may fill several

}  // namespace

std::vector<Operation> request_of(Document& document, const Operation& operation) {
  std::vector<Operation> request;
  const TraceInfo& info = document.info();
  const LaunchInfo* launch = info.launch(operation.launch);
  if (!launch || operation.step == 0) return {operation};
  const SubGroup range = SubGroups(launch->group_size()).of_item(operation.item);
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

}  // namespace twiddle
