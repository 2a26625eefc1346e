// What diagrams measured once of a document and keep from frame to frame.
#pragma once

#include "viewer/document/document.h"
#include "viewer/document/item_activity.h"
#include "viewer/document/row_index.h"
#include "viewer/document/segment_reach.h"
#include "viewer/document/series.h"

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace twiddle {

/// Brightest |value| of 16, and of 256 neighbouring rows each, of a finished column.
struct ColumnLevels {
  static constexpr std::uint64_t fine_rows = RowIndex::fine_rows, coarse_rows = RowIndex::coarse_rows;
  int column = -1;
  std::vector<float> fine, coarse;
  std::uint64_t rows_done = 0;  // they are made in pieces, over several frames if need be
};

/// Brightest |value| of 16 neighbouring rows each, of those that the segment under way wrote so far.
struct WrittenLevels {
  int column = -1;
  bool by_formula = false;  // whose numbers `as_of` are
  std::vector<float> fine;  // −1: none, or not known yet
  /// Of every 256 rows: the number of the segment's operations that their values hold after. What those rows were
  /// written by lies between two such numbers; before the first of them, and from the last on, nothing changes.
  std::vector<std::uint64_t> as_of;
  std::size_t next = 0;  // they are made in turn, over several frames if need be
};

/// The items of a segment, of whose operations the first `read` are read.
struct SegmentActivity {
  ItemActivity activity;
  std::uint64_t read = 0;
};

/// A buffer as a picture of rows and columns after a segment, in cells of `step` rows and columns each.
struct PictureCells {
  int buffer = -1, segment = -1;
  std::uint64_t columns = 0, row_step = 1, column_step = 1;
  std::vector<Extent> cells;    // row by row
  std::uint64_t rows_done = 0;  // of the picture's; they are made in pieces, over several frames if need be
};

struct TreeShape;

struct DiagramCache {
  /// Letters of the longest value text at 1 … 4 digits, over the whole trace; empty for a large trace, where nobody looks.
  std::optional<std::array<int, 5>> value_letters;
  bool value_letters_known = false;

  std::map<int, std::vector<float>> summaries;  // of the trace file, by column
  std::list<ColumnLevels> levels;               // recently used first
  WrittenLevels written;
  std::map<int, SegmentActivity> activities;  // by segment
  std::map<int, SegmentReach> reaches;        // by segment
  std::shared_ptr<const TreeShape> tree;      // null: there is none, or nobody asked
  bool tree_known = false;
  std::list<SeriesLevels> series;          // recently used first
  std::list<PictureCells> pictures;        // recently used first
  std::list<std::pair<Mark, Cone>> cones;  // of what was hovered and pinned lately
};

}  // namespace twiddle
