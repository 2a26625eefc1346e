#include "viewer/graphs/unexplained.h"

#include "viewer/document/flow.h"

#include <algorithm>
#include <map>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_operations_read = 1 << 20;  // of a segment

struct KeptUnexplained {
  std::map<int, UnexplainedPlaces> segments;
};

void add_places(const Operation& op, UnexplainedPlaces& all) {
  const bool write = op.kind == OperationKind::Store;
  for (const Access& access : write ? op.writes : op.reads)
    all.places.push_back({op.item, write, access.buffer, static_cast<std::uint32_t>(access.index)});
}

}  // namespace

bool UnexplainedPlaces::holds(const UnexplainedPlace& place) const {
  return std::binary_search(places.begin(), places.end(), place);
}

const UnexplainedPlaces* unexplained_places(Document& document, int number) {
  auto& kept = document.kept<KeptUnexplained>().segments;
  if (const auto known = kept.find(number); known != kept.end()) return &known->second;
  const TraceInfo& info = document.info();
  const Segment& segment = info.segments[static_cast<std::size_t>(number)];
  const LaunchInfo* launch = info.launch(segment.launch);
  UnexplainedPlaces all;
  if (launch && unexplained_writes(*launch) > 0) {
    if (segment.count > max_operations_read) return nullptr;
    Flow& flow = document.flow();
    Operation op;
    for (std::uint64_t step = segment.first_step; step < segment.end_step();) {
      const Flow::Block block = flow.block(step, true);
      if (!block) return nullptr;
      for (std::uint32_t i = 0; i < block->count; ++i) {
        const OperationKind kind = traits(block->columns_of(i).shape).kind;
        if (kind != OperationKind::Load && kind != OperationKind::Store) continue;
        block->operation(info, i, op);
        add_places(op, all);
        for (const Access& write : op.writes)
          if (const auto row = flow.row_of(write, op)) all.rows.push_back({*row, op.step});
      }
      step = block->first_step + block->count;
    }
    std::sort(all.places.begin(), all.places.end());
    std::sort(all.rows.begin(), all.rows.end(),
              [](const UnexplainedRow& a, const UnexplainedRow& b) { return a.row < b.row; });
  }
  return &kept.emplace(number, std::move(all)).first->second;
}

}  // namespace twiddle
