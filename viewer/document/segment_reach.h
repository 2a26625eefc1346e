// How far a segment reaches: which rows it writes, and from which rows what it writes there comes. For zoomed-out pictures of
// segments that follow no formula: a reduction's halves, a packing, a transpose.
#pragma once

#include "viewer/document/flow.h"

#include <cstdint>
#include <vector>

namespace twiddle {

struct Document;

class SegmentReach {
 public:
  /// Of a diagram with so many rows. Nothing is known yet.
  explicit SegmentReach(std::uint64_t rows);
  /// In step order. An operation that only writes (the sum of a loop) has what its item read before it in the segment.
  void add(const Operation& operation, const Flow& flow);

  /// A run of written rows, and the rows from the first to the last that were read for them.
  struct Link {
    Rows from, to;
  };
  /// Those that write in `within`, by ascending row. Runs less than `apart` rows from each other count as one.
  std::vector<Link> links(Rows within, double apart) const;
  /// Rows of a cell.
  std::uint64_t cell_rows() const { return cell_rows_; }

  std::uint64_t read = 0;  // operations added, of the segment's

 private:
  struct Cell {
    bool written = false, known = false;
    std::uint64_t first = 0, last = 0;  // rows read, when known
    void take(const Cell& other);
  };
  std::uint64_t rows_, cell_rows_ = 1;
  std::vector<Cell> cells_;
  std::uint64_t item_ = 0;
  Cell item_read_;  // so far, by the item at work
};

/// The reach of a segment; null while finding out takes longer than the frame has time for. Kept.
const SegmentReach* segment_reach(Document& document, int segment);

}  // namespace twiddle
