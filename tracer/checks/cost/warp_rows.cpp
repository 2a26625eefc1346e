#include "tracer/checks/cost/warp_rows.h"

#include <algorithm>

namespace twiddle {

Warp Warp::of(const LaunchInfo& launch, std::uint64_t item) {
  const std::uint64_t size = launch.group_size(), group = item / size * size;
  const std::uint64_t local = (item - group) / warp_size * warp_size;
  return {group + local, std::min(warp_size, size - local)};
}

void WarpRows::add(const Operation& op, std::uint64_t first_item) {
  if (op.item != item_) place_ = 0;
  item_ = op.item;
  // Lanes that skipped an operation are behind by a row: look for the next row of this trace line.
  std::size_t row = place_;
  while (row < used_ && rows_[row].line != op.line) ++row;
  if (row == used_) {
    if (used_ == most_rows) return;
    if (used_ == rows_.size()) rows_.emplace_back();
    rows_[used_].line = op.line;
    rows_[used_].lanes = 0;
    rows_[used_++].first = op;
  }
  place_ = row + 1;
  Row& to = rows_[row];
  const auto lane = static_cast<std::size_t>(to.lanes);
  if (lane == warp_size) return;
  to.lane[lane] = static_cast<std::uint8_t>(op.item - first_item);
  for (int r = 0; r < op.reads.size(); ++r)
    to.read[static_cast<std::size_t>(r)][lane] = static_cast<std::uint32_t>(op.reads[r].index);
  for (int w = 0; w < op.writes.size(); ++w)
    to.written[static_cast<std::size_t>(w)][lane] = static_cast<std::uint32_t>(op.writes[w].index);
  ++to.lanes;
}

void WarpRows::clear() {
  used_ = place_ = 0;
  item_ = ~std::uint64_t(0);
}

std::size_t sort_unique(std::span<std::uint64_t> values) {
  if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

}  // namespace twiddle
