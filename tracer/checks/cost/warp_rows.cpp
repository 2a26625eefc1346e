#include "tracer/checks/cost/warp_rows.h"

namespace twiddle {

void WarpRows::add(const Operation& op, std::uint64_t first_item) {
  if (op.item != item_) place_ = 0;
  item_ = op.item;
  // Lanes that skipped an operation are behind by a row: look for the next row of this trace line.
  std::size_t row = place_;
  while (row < used_ && rows_[row].line != op.line) ++row;
  if (row == used_) {
    if (used_ == max_rows) return;
    if (used_ == rows_.size()) rows_.emplace_back();
    Row& added = rows_[used_++];
    added.line = op.line;
    added.first = op;
    for (SubGroupAccess& access : added.read) access.active = 0;
    for (SubGroupAccess& access : added.written) access.active = 0;
  }
  place_ = row + 1;
  Row& to = rows_[row];
  const std::uint64_t lane = op.item - first_item;
  for (int r = 0; r < op.reads.size(); ++r) to.read[r].add(lane, op.reads[r].index);
  for (int w = 0; w < op.writes.size(); ++w) to.written[w].add(lane, op.writes[w].index);
}

void WarpRows::clear() {
  used_ = place_ = 0;
  item_ = ~std::uint64_t(0);
}

}  // namespace twiddle
