#include "viewer/document/segment_reach.h"

#include "tracer/trace/block.h"
#include "viewer/document/document.h"
#include "viewer/document/flow.h"

#include <algorithm>
#include <map>

namespace twiddle {
namespace {

constexpr std::uint64_t max_cells = 2048;
constexpr std::size_t max_reaches = 256;  // segments
using KeptReaches = std::map<int, SegmentReach>;

}  // namespace

SegmentReach::SegmentReach(std::uint64_t rows) : rows_(rows) {
  while (rows_ / cell_rows_ >= max_cells) cell_rows_ *= 2;
  cells_.resize(rows_ / cell_rows_ + 1);
}

void SegmentReach::Cell::take(const Cell& other) {
  written = written || other.written;
  if (!other.known) return;
  first = known ? std::min(first, other.first) : other.first;
  last = known ? std::max(last, other.last) : other.last;
  known = true;
}

void SegmentReach::add(const Operation& operation, const Flow& flow) {
  if (operation.item != item_) item_ = operation.item, item_read_ = {};
  Cell from;
  for (const Access& access : operation.reads)
    if (const auto row = flow.row_of(access, operation)) from.take({false, true, *row, *row});
  item_read_.take(from);
  // A term says which element its sum is for; the items' turns may alternate until that is written.
  if (operation.kind == OperationKind::Term)
    if (const auto row = flow.row_of(operation.target, operation); row && *row < rows_)
      cells_[*row / cell_rows_].take(from);
  if (!from.known) from = item_read_;
  from.written = true;
  for (const Access& access : operation.writes)
    if (const auto row = flow.row_of(access, operation); row && *row < rows_) cells_[*row / cell_rows_].take(from);
}

std::vector<SegmentReach::Link> SegmentReach::links(Rows within, double apart) const {
  std::vector<Link> list;
  for (std::uint64_t c = within.first / cell_rows_; c < cells_.size() && c * cell_rows_ < within.end; ++c) {
    const Cell& cell = cells_[c];
    if (!cell.written) continue;
    const Rows to{std::max(within.first, c * cell_rows_), std::min({within.end, rows_, (c + 1) * cell_rows_})};
    const Rows from = cell.known ? Rows{cell.first, cell.last + 1} : to;
    if (!list.empty() && (to.first <= list.back().to.end || double(to.first - list.back().to.end) + 1 < apart)) {
      Link& run = list.back();
      run.to.end = to.end;
      run.from = {std::min(run.from.first, from.first), std::max(run.from.end, from.end)};
    } else {
      list.push_back({from, to});
    }
  }
  return list;
}

const SegmentReach* segment_reach(Document& document, int number) {
  auto& kept = document.kept<KeptReaches>();
  Flow& flow = document.flow();
  const Segment& segment = document.info().segments[number];
  if (kept.size() >= max_reaches && !kept.contains(number)) kept.clear();
  SegmentReach& made = kept.try_emplace(number, flow.rows()).first->second;
  Operation operation;
  while (made.read < segment.count) {
    if (!flow.has_time()) return nullptr;
    const auto block = document.replay->indices_of(segment.first_step + made.read);
    for (std::uint32_t i = 0; i < block->count; ++i) {
      block->operation(document.info(), i, operation);
      made.add(operation, flow);
    }
    made.read = block->first_step + block->count - segment.first_step;
  }
  return &made;
}

}  // namespace twiddle
