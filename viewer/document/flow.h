// The trace as rows that flow through columns: which element is where, and which operations lead from column to column.
// A model for diagrams; it draws nothing. Column k is the state after segment k − 1; column 0 is the state before the first.
#pragma once

#include "tracer/replay/replay.h"
#include "viewer/document/row_index.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

struct Turn;

/// A state of all rows, and whose content it shows.
struct Column {
  int segment = -1;  // the state after this segment; −1: before the first
  int buffer = -1;   // index into TraceInfo::buffers
  int part = 0;      // of a local array whose halves are buffers in turn: the half that is shown
  bool shows_same_as(const Column& other) const { return buffer == other.buffer && part == other.part; }
};

/// In-place butterflies at one distance that cover every row once: drawn by their formula before they are decoded.
struct Regular {
  std::uint64_t stride = 0;  // distance of a butterfly's neighbouring rows
  std::uint64_t span = 0;    // rows merged by a block: radix × stride
  int radix = 2;
  /// The butterfly (0 … within the segment) that holds a row, if items come in the usual order.
  std::uint64_t butterfly(std::uint64_t row) const { return row / span * stride + row % stride; }
  /// Its first row.
  std::uint64_t first_row(std::uint64_t row) const { return row / span * span + row % stride; }
};

/// An element as a buffer's: `group` matters for local arrays only.
struct Place {
  int buffer = -1;
  std::uint64_t group = 0, index = 0;
};

/// A run of rows [first, end).
struct Rows {
  std::uint64_t first = 0, end = 0;
};

/// Which operation of a segment (0 … within it) writes each row first: as its formula says, or as its index does.
struct Writers {
  std::optional<Regular> formula{};
  const RowIndex* index = nullptr;
  std::uint64_t first(std::uint64_t row) const { return formula ? formula->butterfly(row) : index->first_writer(row); }
  /// The first and the last that write one of RowIndex::coarse_rows rows; of a formula, bounds of them.
  RowIndex::Cell coarse(std::uint64_t cell) const;
};

class Flow {
 public:
  explicit Flow(Replay& replay);

  const TraceInfo& info() const { return replay_.info(); }
  const std::vector<Column>& columns() const { return columns_; }
  const Segment& segment(int number) const { return info().segments[number]; }
  int segment_count() const { return static_cast<int>(info().segments.size()); }
  std::uint64_t rows() const { return rows_; }
  int index_bits() const;  // binary digits of the last row, at least 1
  bool has_butterflies() const { return has_butterflies_; }
  bool has_combines() const { return has_combines_; }
  /// Whether the diagram of rows and wires has something to draw: butterflies, the pairs of a reduction, or anything else
  /// that leads from one element to another.
  bool draws() const { return has_butterflies_ || has_combines_ || moves_; }
  bool starts_with_swaps() const {
    return starts_with_swaps_;
  }  // the first segment permutes in place, before butterflies
  /// What brackets over the columns say: the epochs of the only launch, or the launches when some of them have several
  /// segments; nothing when neither says more than the segments themselves.
  enum class Grouping : std::uint8_t { None, Epochs, Launches };
  Grouping grouping() const;
  std::optional<Regular> regular(int segment) const;

  /// How many operations of each kind a segment has, loads and stores last; nothing where a segment is too large to count
  /// them for a head.
  using KindCount = std::pair<OperationKind, std::uint64_t>;
  const std::vector<KindCount>& kinds(int segment);

  /// The row of an element that an operation touched; nothing when it is in no row.
  std::optional<std::uint64_t> row_of(const Access& access, const Operation& operation) const;
  /// How many rows the elements of a buffer take, a local one's of all groups.
  std::uint64_t rows_of(int buffer) const;
  /// The rows that hold the elements [first, end) of a buffer, or of a group's own local array, and maybe others between them.
  Rows rows_of_elements(int buffer, std::uint64_t group, std::uint64_t first, std::uint64_t end) const;
  /// The element of a column's buffer in a row; nothing where the buffer has fewer.
  std::optional<Place> place(int column, std::uint64_t row) const;
  /// Whether a column shows an element that an operation touched, in the row that row_of() says.
  bool shows(int column, const Access& access) const;
  /// What a column's head says it shows: "F[64]", "tile[16…31]" of the second half of one that is used as two buffers, and
  /// of local arrays for how many groups.
  std::string content_text(int column) const;
  /// The end of the run of rows, from `row` on and up to `end`, whose elements follow one another in a column's buffer.
  std::uint64_t run_end(int column, std::uint64_t row, std::uint64_t end) const;
  /// The column that shows an element after a segment, and its row there.
  std::optional<std::uint64_t> row_of_element(int column, int buffer, std::uint64_t index) const;

  /// Moves the replay to `step` and starts counting the time that `operations` may take to decode what is missing.
  /// `turn`: in lockstep what is done is what the turn says; it must outlive the frame.
  void begin_frame(std::uint64_t step, double patience_ms, const Turn* turn = nullptr);
  /// Whether something was left out since begin_frame because it would have taken too long.
  bool incomplete() const { return incomplete_; }
  /// Whether there is time left for something costly in this frame; when not, the frame counts as incomplete.
  bool has_time();
  /// Steps that are done as one run from 1 on. In lockstep others may be done, too.
  std::uint64_t step() const;
  /// Whether an operation is done, the one at the cursor included, and whether its `write`-th write is.
  bool is_done(std::uint64_t step) const;
  bool wrote(std::uint64_t step, int write) const;

  /// The segment of the last operation done; −1 before the first.
  int current_segment() const { return current_; }
  /// The content of a column now: null while its segment has not begun, or while decoding it takes too long.
  std::shared_ptr<const State> state(int column);
  /// Whether all of a column's segment is done.
  bool complete(int column) const;

  /// The operation of a step, with its values and coefficients unless those take too long now; nothing when even its
  /// indices do. `outline`: indices are enough.
  std::optional<Operation> operation(std::uint64_t step, bool outline = false);
  /// The block that holds a step, with its indices but neither values nor coefficients where those take too long, or are
  /// not asked for; null when even its indices take too long now.
  using Block = std::shared_ptr<const OperationBlock>;
  Block block(std::uint64_t step, bool outline);
  /// Calls `each` for a segment's operations that touch these rows, in step order. False: something is missing.
  bool operations(int segment, Rows rows, const std::function<void(const Operation&)>& each, bool outline = false);
  /// Calls `each` for every row with the last operation of a segment, up to the cursor, that writes it. Indices alone.
  /// False: something is missing.
  bool last_writers(int segment, Rows rows, const std::function<void(const Operation&)>& each);
  /// A store as automatic instrumentation logs it, with the loads of its work-item just before it as its reads: what it
  /// may be made of. Any other operation as it is.
  Operation with_loads(const Operation& operation);
  /// The rows that are written so far in the current segment, as runs in ascending order, clipped to `within`. Of use
  /// zoomed out, where `apart` rows share a pixel: runs less than that apart are then one, and end as exactly.
  std::vector<Rows> written_rows(int segment, Rows within, double apart = 1);
  /// Who writes each row of the current segment; nothing while that is not known yet.
  std::optional<Writers> writers(int segment);
  /// The row where the content of a row was before the first segment's swaps, of which those up to now are done.
  std::uint64_t origin(std::uint64_t row);

 private:
  /// What a turn's sub-group has done in a segment beyond step().
  std::vector<std::uint64_t> ahead(int segment) const;
  const RowIndex* index(int segment);
  std::optional<Regular> followed_formula(int segment);
  bool approach(std::uint64_t step);
  void find_columns();
  void find_parts();
  int written_buffer(int segment);
  RowMap row_map(int launch) const;

  Replay& replay_;
  const Turn* turn_ = nullptr;  // of the frame
  std::vector<Column> columns_;
  std::uint64_t rows_ = 0;
  bool has_butterflies_ = false, has_combines_ = false, starts_with_swaps_ = false, moves_ = false;
  bool incomplete_ = false, patient_ = true, progressed_ = false;  // of the frame
  int current_ = -1;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();

  std::uint64_t ready_step_ = 0;  // the replay's state is decoded for this step

  // Recently used first. Blocks are shared with the replay's own cache; indices are built here.
  std::list<Block> blocks_, outlines_;
  std::list<std::pair<int, std::unique_ptr<RowIndex>>> indices_;
  struct Unbuilt {
    int segment = -1;
    std::vector<Block> blocks;
    std::size_t filled = 0;  // of them
    std::unique_ptr<RowIndex> index;
    std::uint64_t asked = 0;  // the last frame that wanted it
  } unbuilt_;                 // an index under construction, over several frames if need be
  std::uint64_t frame_ = 0;
  std::vector<RowMap::BufferRows> buffer_rows_;
  std::map<int, std::vector<KindCount>> kinds_;  // by segment, of those that were asked for
  std::set<int> irregular_;                      // segments whose operations do not follow the formula of the trace
};

}  // namespace twiddle
