// Which operations of a segment touch a row: built once from the segment's blocks, for segments that follow no formula.
#pragma once

#include "tracer/trace/block.h"
#include "viewer/document/local_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// Where elements are among a diagram's rows: an element of a global buffer in the row of its index; one of a local array
/// after those of the work-groups before its own.
struct RowMap {
  struct BufferRows {
    std::uint64_t count = 0;
    bool local = false;
    std::shared_ptr<const LocalRows> packed{};  // null: elements are rows as they are
    /// Of a group's own array, or of the buffer.
    std::uint64_t rows() const { return packed ? packed->rows : count; }
  };
  std::vector<BufferRows> buffers;  // by index into TraceInfo::buffers
  std::uint64_t rows = 0;           // in all
  std::uint64_t group_size = 1;     // work-items of a group, in this launch

  /// Nothing when the element is in no row.
  std::optional<std::uint64_t> row(int buffer, std::uint64_t item, std::uint64_t index) const {
    if (buffer < 0 || static_cast<std::size_t>(buffer) >= buffers.size()) return {};
    const BufferRows& b = buffers[buffer];
    if (index >= b.count) return {};
    std::uint64_t row = index;
    if (b.packed && (row = b.packed->row[index]) == LocalRows::padding) return {};
    if (b.local) row += item / group_size * b.rows();
    return row < rows ? std::optional(row) : std::nullopt;
  }
};

/// Built in two rounds over all blocks of a segment in step order, so that a frame may stop anywhere in between:
/// count(block) of every block, then fill(block) of every block. Blocks of indices suffice.
class RowIndex {
 public:
  explicit RowIndex(RowMap map);
  void count(const OperationBlock& block);
  void fill(const OperationBlock& block);

  /// Entries for the operations that touch a row, by ascending number; one that reads and writes it has two.
  std::span<const std::uint32_t> of(std::uint64_t row) const;
  /// The first operation that writes a row; `none` when none does.
  std::uint32_t first_writer(std::uint64_t row) const { return first_writer_[row]; }
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  /// The first and the last operation that writes one of some neighbouring rows; `none` and 0 when none does.
  struct Cell {
    std::uint32_t first = none, last = 0;
    void add(const Cell& other) { first = std::min(first, other.first), last = std::max(last, other.last); }
  };
  static constexpr std::uint64_t fine_rows = 16, coarse_rows = 256;  // of a cell
  const std::vector<Cell>& fine() const { return fine_; }
  const std::vector<Cell>& coarse() const { return coarse_; }

  /// An entry's operation, as a number within the segment (0 …), and whether it writes the row there.
  static std::uint32_t number(std::uint32_t entry) { return entry & ~write_bit; }
  static bool writes(std::uint32_t entry) { return (entry & write_bit) != 0; }

  std::size_t bytes() const {
    return (start_.size() + operations_.size() + first_writer_.size()) * sizeof(std::uint32_t) +
           (fine_.size() + coarse_.size()) * sizeof(Cell);
  }

 private:
  static constexpr std::uint32_t write_bit = std::uint32_t(1) << 31;  // segments that are indexed have fewer operations

  RowMap map_;
  std::vector<std::uint32_t> start_, next_, operations_, first_writer_;
  std::vector<Cell> fine_, coarse_;
  std::uint32_t counted_ = 0, filled_ = 0;  // operations
};

}  // namespace twiddle
