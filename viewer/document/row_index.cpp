#include "viewer/document/row_index.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

/// Calls `each(row, operation, writes)` for every access of a block; its operations count from `base`.
template <typename Each>
void for_accesses(const OperationBlock& block, const RowMap& map, std::uint32_t base, const Each& each) {
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const SiteColumns& site = block.sites[block.site.empty() ? 0 : block.site[i]];
    const std::uint32_t rank = block.rank.empty() ? i : block.rank[i];
    const ShapeTraits& shape = traits(site.shape);
    const auto access = [&](int which_buffer, std::uint8_t word, bool writes) {
      if (which_buffer < 0) return;
      if (const auto row = map.row(site.buffers[which_buffer], block.item[i], site.index[word][rank]))
        each(*row, base + i, writes);
    };
    for (int r = 0; r < shape.reads; ++r) access(shape.read_buffer, shape.read_index[r], false);
    for (int w = 0; w < shape.writes; ++w) access(shape.write_buffer, shape.write_index[w], true);
  }
}

}  // namespace

RowIndex::RowIndex(RowMap map)
    : map_(std::move(map)),
      start_(map_.rows + 1),
      first_writer_(map_.rows, none),
      fine_((map_.rows + fine_rows - 1) / fine_rows),
      coarse_((map_.rows + coarse_rows - 1) / coarse_rows) {}

void RowIndex::count(const OperationBlock& block) {
  for_accesses(block, map_, counted_, [&](std::uint64_t row, std::uint32_t operation, bool writes) {
    ++start_[row + 1];
    if (!writes) return;
    first_writer_[row] = std::min(first_writer_[row], operation);
    fine_[row / fine_rows].add({operation, operation});
  });
  counted_ += block.count;
}

void RowIndex::fill(const OperationBlock& block) {
  if (filled_ == 0) {
    for (std::size_t row = 0; row < map_.rows; ++row) start_[row + 1] += start_[row];
    operations_.resize(start_[map_.rows]);
    next_.assign(start_.begin(), start_.end() - 1);
    for (std::size_t cell = 0; cell < fine_.size(); ++cell) coarse_[cell * fine_rows / coarse_rows].add(fine_[cell]);
  }
  for_accesses(block, map_, filled_, [&](std::uint64_t row, std::uint32_t operation, bool writes) {
    operations_[next_[row]++] = operation | (writes ? write_bit : 0);
  });
  filled_ += block.count;
  if (filled_ == counted_) next_ = {};
}

std::span<const std::uint32_t> RowIndex::of(std::uint64_t row) const {
  return std::span(operations_).subspan(start_[row], start_[row + 1] - start_[row]);
}

}  // namespace twiddle
