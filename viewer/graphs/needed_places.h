// Which elements of a reduction's columns go into its outcome: the places that its loops no longer use are pale in its tree.
#pragma once

#include "viewer/document/document.h"
#include "viewer/document/flow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace twiddle {

/// By column of Flow (the state after the segment before it) and row.
class NeededPlaces {
 public:
  NeededPlaces(std::size_t columns, std::uint64_t rows) : rows_(rows), before_(columns * (rows + 1)) {}

  /// Whether an element was written by the column's segment, or is read later as it is there.
  bool needed(int column, std::uint64_t row) const { return any(column, {row, row + 1}); }
  /// Whether one of a run of rows is.
  bool any(int column, Rows rows) const { return at(column, rows.end) > at(column, rows.first); }

  /// Fills a column, once: `needed` by row.
  void set(int column, const std::vector<bool>& needed);

 private:
  std::uint32_t at(int column, std::uint64_t row) const {
    return before_[static_cast<std::size_t>(column) * (rows_ + 1) + std::min(row, rows_)];
  }
  std::uint64_t rows_;
  std::vector<std::uint32_t> before_;  // of each column: how many of the rows before each are needed
};

/// Found once and kept. Null where all is needed or it is not known: of anything that does not bring many values to one, and
/// of traces of more than 2^17 steps or 2^20 places.
const NeededPlaces* needed_places(Document& document);

}  // namespace twiddle
