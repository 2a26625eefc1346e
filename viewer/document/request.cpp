#include "viewer/document/request.h"

#include "viewer/document/flow.h"
#include "viewer/document/item_activity.h"
#include "viewer/words/operation_text.h"

#include <algorithm>
#include <map>

namespace twiddle {
namespace {

constexpr int most_blocks = 8;  // on either side: a sub-group's long loops may fill several

}  // namespace

std::vector<Operation> request_of(Document& document, const Operation& operation) {
  std::vector<Operation> request;
  const TraceInfo& info = document.info();
  const LaunchInfo* launch = launch_numbered(info, operation.launch);
  if (!launch || operation.step == 0) return {operation};
  const ItemActivity lanes(launch->items(), launch->group_size());
  const ItemActivity::SubGroup range = lanes.sub_group_of(operation.item);
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
       n < most_blocks && block && block->first_step > segment.first_step && block->item.front() >= range.first; ++n)
    if ((block = flow.block(block->first_step - 1, true))) take(*block);
  block = here;
  for (int n = 0; n < most_blocks && block && block->first_step + block->count < segment.end_step() &&
                  block->item.back() < range.end;
       ++n)
    if ((block = flow.block(block->first_step + block->count, true))) take(*block);
  std::sort(request.begin(), request.end(), [](const Operation& a, const Operation& b) { return a.item < b.item; });
  return request;
}

RequestCost cost_of(const TraceInfo& info, const std::vector<Operation>& request, int buffer, int which, bool write) {
  RequestCost cost;
  if (buffer < 0 || static_cast<std::size_t>(buffer) >= info.buffers.size()) return cost;
  const std::uint64_t bytes = traits(info.buffers[static_cast<std::size_t>(buffer)].type).bytes;
  std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank
  for (const Operation& operation : request) {
    const auto& list = write ? operation.writes : operation.reads;
    if (which >= list.size() || list[which].buffer != buffer) continue;
    ++cost.lanes;
    const std::uint64_t index = list[which].index;
    if (!cost.elements.insert(index).second) continue;
    cost.bytes += bytes;
    for (std::uint64_t byte = index * bytes; byte < (index + 1) * bytes; byte += bank_bytes) {
      cost.sectors.insert(byte / sector_bytes);
      words[byte / bank_bytes % bank_count].insert(byte / bank_bytes);
    }
  }
  for (const auto& [bank, different] : words) cost.passes = std::max<std::uint64_t>(cost.passes, different.size());
  return cost;
}

}  // namespace twiddle
