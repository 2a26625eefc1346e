#include "viewer/document/flow.h"

#include "base/values/sorted.h"
#include "tracer/trace/span.h"
#include "viewer/document/recent.h"
#include "viewer/document/turn.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t blocks_kept = 48;  // at most about 2 MiB each
constexpr std::size_t index_bytes_kept = std::size_t(384) << 20;
constexpr std::uint64_t panes = 4;  // that draw in turn, each a frame: the diagram, the lanes, the presenter's
constexpr std::uint64_t max_counted = 1 << 16;               // operations that are counted by kind
constexpr std::uint64_t max_index = std::uint64_t(1) << 23;  // rows, and operations, that are indexed at all

bool by_number(std::uint32_t entry, std::uint64_t number) { return RowIndex::number(entry) < number; }

}  // namespace

Flow::Flow(Replay& replay) : replay_(replay) {
  find_columns();
  for (const Segment& segment : info().segments) {
    has_butterflies_ = has_butterflies_ || segment.kind == OperationKind::Butterfly;
    has_combines_ = has_combines_ || segment.kind == OperationKind::Combine;
    moves_ = moves_ || segment.kind != OperationKind::Load || segment.write_buffer >= 0;
  }
  starts_with_swaps_ = has_butterflies_ && info().segments[0].kind == OperationKind::Swap;
}

RowIndex::Cell Writers::coarse(std::uint64_t cell) const {
  if (!formula) return index->coarse()[cell];
  const std::uint64_t row = cell * RowIndex::coarse_rows, last = row + RowIndex::coarse_rows - 1;
  const auto number = [](std::uint64_t butterfly) { return static_cast<std::uint32_t>(butterfly); };
  if (row / formula->stride == last / formula->stride)
    return {number(formula->butterfly(row)), number(formula->butterfly(last))};
  return {number(row / formula->span * formula->stride), number((last / formula->span + 1) * formula->stride - 1)};
}

void Flow::find_columns() {
  columns_.resize(info().segments.size() + 1);
  for (int s = 0; s < segment_count(); ++s) {
    Column& column = columns_[s + 1];
    column.segment = s;
    column.buffer = written_buffer(s);
    // A segment that only reads leaves everything as it was.
    if (column.buffer < 0) column.buffer = columns_[s].buffer;
  }
  if (segment_count() > 0) {
    columns_[0].buffer = segment(0).read_buffer >= 0 ? segment(0).read_buffer : columns_[1].buffer;
    // Where the first operations read several, as those do that bring elements to local memory and take them from there, it is
    // the first array that groups share.
    const auto shared = std::find_if(info().buffers.begin(), info().buffers.end(),
                                     [](const BufferInfo& buffer) { return buffer.space == Space::Global; });
    if (columns_[0].buffer < 0 && shared != info().buffers.end())
      columns_[0].buffer = static_cast<int>(shared - info().buffers.begin());
    for (Column& column : columns_)
      if (column.buffer < 0) column.buffer = columns_[0].buffer;
  }
  for (const BufferInfo& buffer : info().buffers) buffer_rows_.push_back({buffer.count, buffer.space == Space::Local});
  find_parts();
  for (const Column& column : columns_)
    if (column.buffer >= 0) rows_ = std::max(rows_, rows_of(column.buffer));
}

/// What of local arrays is padding or a second buffer, of those that columns show.
void Flow::find_parts() {
  for (const Column& column : columns_)
    if (column.buffer >= 0 && !buffer_rows_[column.buffer].packed)
      buffer_rows_[column.buffer].packed = local_rows(replay_, column.buffer);
  for (int s = 0; s < segment_count(); ++s) {
    Column& column = columns_[s + 1];
    const auto& packed = column.buffer >= 0 ? buffer_rows_[column.buffer].packed : nullptr;
    if (!packed || packed->parts() < 2) continue;
    const LocalRows::Use& use = packed->use[s];
    const int before = columns_[s].buffer == column.buffer ? columns_[s].part : 0;
    column.part = use.written >= 0 ? use.written : use.read >= 0 ? use.read : before;
  }
}

/// The buffer that a segment writes; where it writes several, the one it writes most in its first block.
int Flow::written_buffer(int number) {
  const Segment& s = segment(number);
  if (s.write_buffer >= 0 || s.count == 0) return s.write_buffer;
  std::map<int, std::uint64_t> writes;
  if (const Block first = block(s.first_step, true)) {
    for (const SiteColumns& site : first->sites) {
      const ShapeTraits& shape = traits(site.shape);
      if (shape.writes > 0 && shape.write_buffer >= 0) writes[site.buffers[shape.write_buffer]] += site.count;
    }
  }
  const auto most =
      std::max_element(writes.begin(), writes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == writes.end() ? -1 : most->first;
}

std::uint64_t Flow::rows_of(int number) const {
  const BufferInfo& buffer = info().buffers[number];
  const LaunchInfo* launch = buffer.space == Space::Local ? info().launch(buffer.launch) : nullptr;
  return buffer_rows_[number].rows() * (launch ? launch->groups() : 1);
}

Rows Flow::rows_of_elements(int number, std::uint64_t group, std::uint64_t first, std::uint64_t end) const {
  const RowMap::BufferRows& buffer = buffer_rows_[number];
  const std::uint64_t before = buffer.local ? group * buffer.rows() : 0;
  if (!buffer.packed) return {before + first, before + end};
  std::optional<Rows> rows;
  for (std::uint64_t element = first; element < std::min(end, buffer.count); ++element) {
    const std::uint32_t row = buffer.packed->row[element];
    if (row == LocalRows::padding) continue;
    rows = rows ? Rows{std::min<std::uint64_t>(rows->first, row), std::max<std::uint64_t>(rows->end, row + 1)}
                : Rows{row, std::uint64_t(row) + 1};
  }
  return rows ? Rows{before + rows->first, before + rows->end} : Rows{};
}

int Flow::index_bits() const {
  int bits = 1;
  while (bits < 63 && (std::uint64_t(1) << bits) < rows_) ++bits;
  return bits;
}

Flow::Grouping Flow::grouping() const {
  const auto& segments = info().segments;
  if (segments.size() < 2) return Grouping::None;
  const bool one_launch = segments.front().launch == segments.back().launch;
  bool parts = false, epochs = false;
  for (std::size_t s = 1; s < segments.size(); ++s) {
    parts = parts || segments[s].launch == segments[s - 1].launch;
    epochs = epochs || segments[s].epoch != segments[s - 1].epoch;
  }
  if (one_launch) return epochs ? Grouping::Epochs : Grouping::None;
  return parts ? Grouping::Launches : Grouping::None;
}

std::optional<Regular> Flow::regular(int number) const {
  const Segment& s = segment(number);
  if (s.kind != OperationKind::Butterfly || s.read_stride == 0 || s.read_stride != s.write_stride) return {};
  const std::uint64_t block = block_rows(s, rows_);
  if (block % s.read_stride != 0 || irregular_.contains(number)) return {};
  const std::uint64_t radix = block / s.read_stride;
  if ((radix != 2 && radix != 4) || s.count * radix != rows_ || rows_ % block != 0) return {};
  return Regular{s.read_stride, block, static_cast<int>(radix)};
}

const std::vector<Flow::KindCount>& Flow::kinds(int number) {
  const auto [entry, added] = kinds_.try_emplace(number);
  const Segment& s = segment(number);
  if (!added || s.count == 0 || s.count > max_counted) return entry->second;
  std::map<OperationKind, std::uint64_t> counts;
  for (std::uint64_t step = s.first_step; step < s.end_step();) {
    const Block one = replay_.indices_of(step);
    for (const SiteColumns& site : one->sites)
      if (site.count > 0) counts[traits(site.shape).kind] += site.count;
    step = one->first_step + one->count;
  }
  entry->second.assign(counts.begin(), counts.end());  // loads and stores are the last of the kinds
  return entry->second;
}

RowMap Flow::row_map(int number) const {
  const LaunchInfo* launch = info().launch(number);
  return {buffer_rows_, rows_, launch ? std::max<std::uint64_t>(1, launch->group_size()) : 1};
}

std::optional<std::uint64_t> Flow::row_of(const Access& access, const Operation& operation) const {
  if (access.buffer < 0 || static_cast<std::size_t>(access.buffer) >= buffer_rows_.size()) return {};
  const RowMap::BufferRows& buffer = buffer_rows_[access.buffer];
  if (access.index >= buffer.count) return {};
  std::uint64_t row = access.index;
  if (buffer.packed && (row = buffer.packed->row[access.index]) == LocalRows::padding) return {};
  if (const LaunchInfo* launch = buffer.local ? info().launch(operation.launch) : nullptr)
    row += launch->group_of(operation.item) * buffer.rows();
  return row < rows_ ? std::optional(row) : std::nullopt;
}

bool Flow::shows(int column, const Access& access) const {
  const Column& of = columns_[column];
  if (of.buffer != access.buffer || of.buffer < 0) return false;
  const auto& packed = buffer_rows_[of.buffer].packed;
  return !packed || access.index >= packed->part.size() || packed->part[access.index] == of.part;
}

std::string Flow::content_text(int column) const {
  const Column& of = columns_[column];
  if (of.buffer < 0) return {};
  const BufferInfo& buffer = info().buffers[of.buffer];
  const auto& packed = buffer_rows_[of.buffer].packed;
  std::string text = fmt::format("{}[{}]", buffer.name, buffer_rows_[of.buffer].rows());
  if (packed && packed->parts() > 1) {
    const auto& elements = packed->elements[of.part];
    text = fmt::format("{}[{}…{}]", buffer.name, elements.front(), elements.back());
  }
  const LaunchInfo* launch = buffer.space == Space::Local ? info().launch(buffer.launch) : nullptr;
  return launch && launch->groups() > 1 ? fmt::format("{} × {}", launch->groups(), text) : text;
}

std::uint64_t Flow::run_end(int column, std::uint64_t row, std::uint64_t end) const {
  const auto first = place(column, row);
  if (!first) return row;
  const RowMap::BufferRows& buffer = buffer_rows_[first->buffer];
  if (!buffer.packed) return std::min(end, row + (buffer.count - first->index));
  std::uint64_t next = row + 1;
  for (; next < end; ++next) {
    const auto here = place(column, next);
    if (!here || here->group != first->group || here->index != first->index + (next - row)) break;
  }
  return next;
}

std::optional<Place> Flow::place(int column, std::uint64_t row) const {
  const int buffer = columns_[column].buffer;
  if (buffer < 0) return {};
  const BufferInfo& b = info().buffers[buffer];
  if (row >= rows_of(buffer)) return {};
  if (b.space != Space::Local) return Place{buffer, 0, row};
  const RowMap::BufferRows& rows = buffer_rows_[buffer];
  const std::uint64_t group = row / rows.rows(), in_group = row % rows.rows();
  return Place{buffer, group, rows.packed ? rows.packed->elements[columns_[column].part][in_group] : in_group};
}

std::optional<std::uint64_t> Flow::row_of_element(int column, int buffer, std::uint64_t index) const {
  if (column < 0 || static_cast<std::size_t>(column) >= columns_.size()) return {};
  if (columns_[column].buffer != buffer) return {};
  std::uint64_t row = index;
  if (const RowMap::BufferRows& of = buffer_rows_[buffer]; of.packed) {
    const std::uint64_t element = index % of.count;
    row = of.packed->row[element];
    if (row == LocalRows::padding || of.packed->part[element] != columns_[column].part) return {};
    row += index / of.count * of.rows();
  }
  return row < rows_ ? std::optional(row) : std::nullopt;
}

std::uint64_t Flow::step() const { return turn_ ? turn_->moment.before : replay_.step(); }

bool Flow::is_done(std::uint64_t step) const {
  return turn_ ? turn_->holds(step) || turn_->moment.is_done(step) : step <= replay_.step();
}

bool Flow::wrote(std::uint64_t step, int write) const {
  return turn_ ? turn_->moment.wrote(step, write) : step <= replay_.step();
}

std::vector<std::uint64_t> Flow::ahead(int number) const {
  if (!turn_ || turn_->moment.whole || number != current_) return {};
  std::vector<std::uint64_t> steps = turn_->moment.done;
  if (turn_->moment.writes > 0) steps.insert(steps.end(), turn_->moment.now.begin(), turn_->moment.now.end());
  return steps;
}

void Flow::begin_frame(std::uint64_t step, double patience_ms, const Turn* turn) {
  using namespace std::chrono;
  ++frame_;
  turn_ = turn;
  incomplete_ = progressed_ = false;
  patient_ = patience_ms > 0;
  deadline_ = patience_ms >= 1e9 ? steady_clock::time_point::max()
                                 : steady_clock::now() + microseconds(static_cast<std::int64_t>(patience_ms * 1000));
  replay_.seek(step);  // decodes nothing yet
  current_ = step == 0 ? -1 : static_cast<int>(replay_.segment_of(step));
}

bool Flow::has_time() {
  // At least one piece is done in every frame, even on a slow machine, so that a picture is finished at last.
  const bool left = std::chrono::steady_clock::now() < deadline_ || (patient_ && !progressed_);
  progressed_ = true;
  incomplete_ = incomplete_ || !left;
  return left;
}

/// Decodes the way to a step, as far as there is time.
bool Flow::approach(std::uint64_t step) {
  while (!replay_.approach(step, 0)) {
    if (!has_time()) return false;
    replay_.approach(step, 1);
  }
  return true;
}

std::shared_ptr<const State> Flow::state(int column) {
  const int s = columns_[column].segment;
  if (s > current_) return nullptr;
  if (s < current_) return s < 0 || approach(segment(s).end_step()) ? replay_.state_after(s) : nullptr;
  if (turn_) return turn_->state;
  // The replay is in the current segment: its state is borrowed for the frame.
  if (ready_step_ != step()) {
    if (!approach(step())) return nullptr;
    replay_.state();
    ready_step_ = step();
  }
  return std::shared_ptr<const State>(std::shared_ptr<const State>(), &replay_.state());
}

bool Flow::complete(int column) const {
  const int s = columns_[column].segment;
  return s < current_ || (s == current_ && (s < 0 || step() + 1 >= segment(s).end_step()));
}

Flow::Block Flow::block(std::uint64_t step, bool outline) {
  const auto holds = [&](const Block& block) {
    return step >= block->first_step && step - block->first_step < block->count;
  };
  if (const Block* known = recent(blocks_, holds)) return *known;
  if (!outline && approach(step) && has_time()) return keep(blocks_, replay_.block_of(step), blocks_kept);
  if (const Block* known = recent(outlines_, holds)) return *known;
  if (!has_time()) return nullptr;
  return keep(outlines_, replay_.indices_of(step), blocks_kept);
}

std::optional<Operation> Flow::operation(std::uint64_t step, bool outline) {
  if (step < 1 || step > info().steps) return {};
  const Block holder = block(step, outline);
  if (!holder) return {};
  return holder->operation(info(), static_cast<std::uint32_t>(step - holder->first_step));
}

const RowIndex* Flow::index(int number) {
  if (const auto* known = recent(indices_, [&](const auto& entry) { return entry.first == number; }))
    return known->second.get();
  const Segment& s = segment(number);
  if (rows_ > max_index || s.count > max_index) return nullptr;
  // One after the other: two that took turns would never be done. One that is no longer wanted is dropped.
  if (unbuilt_.segment >= 0 && unbuilt_.segment != number && unbuilt_.asked + panes >= frame_) {
    incomplete_ = true;
    return nullptr;
  }
  if (unbuilt_.segment != number) unbuilt_ = {number, {}, 0, std::make_unique<RowIndex>(row_map(s.launch))};
  unbuilt_.asked = frame_;
  auto& blocks = unbuilt_.blocks;
  std::uint64_t next = blocks.empty() ? s.first_step : blocks.back()->first_step + blocks.back()->count;
  while (next < s.end_step()) {
    if (!has_time()) return nullptr;
    blocks.push_back(replay_.indices_of(next));
    unbuilt_.index->count(*blocks.back());
    next = blocks.back()->first_step + blocks.back()->count;
  }
  for (; unbuilt_.filled < blocks.size(); ++unbuilt_.filled) {
    if (!has_time()) return nullptr;
    unbuilt_.index->fill(*blocks[unbuilt_.filled]);
  }
  indices_.emplace_front(number, std::move(unbuilt_.index));
  unbuilt_ = {};
  // The newest index stays, however large.
  std::size_t bytes = 0;
  auto entry = indices_.begin();
  for (; entry != indices_.end(); ++entry) {
    bytes += entry->second->bytes();
    if (bytes > index_bytes_kept && entry != indices_.begin()) break;
  }
  indices_.erase(entry, indices_.end());
  return indices_.front().second.get();
}

bool Flow::operations(int number, Rows rows, const std::function<void(const Operation&)>& each, bool outline) {
  const Segment& s = segment(number);
  rows.end = std::min(rows.end, rows_);
  const auto touches = [&](const Operation& operation) {
    const auto in = [&](const Access& access) {
      const auto row = row_of(access, operation);
      return row && *row >= rows.first && *row < rows.end;
    };
    return std::any_of(operation.reads.begin(), operation.reads.end(), in) ||
           std::any_of(operation.writes.begin(), operation.writes.end(), in);
  };

  const auto formula = regular(number);
  const RowIndex* by_row = formula ? nullptr : index(number);
  if (!formula && by_row == nullptr) return false;
  std::vector<std::uint64_t> wanted;  // numbers within the segment
  for (std::uint64_t row = rows.first; row < rows.end; ++row)
    if (formula)
      wanted.push_back(formula->butterfly(row));
    else
      for (const std::uint32_t entry : by_row->of(row)) wanted.push_back(RowIndex::number(entry));
  sort_unique(wanted);
  std::vector<Operation> found;  // by the formula, which may turn out to be wrong
  for (const std::uint64_t k : wanted) {
    const auto op = operation(s.first_step + k, outline);
    if (!op) return false;
    if (!formula) {
      each(*op);
    } else if (touches(*op)) {
      found.push_back(*op);
    } else {  // items in another order than the usual one: what is right is the log
      irregular_.insert(number);
      return operations(number, rows, each, outline);
    }
  }
  for (const Operation& op : found) each(op);
  return true;
}

bool Flow::last_writers(int number, Rows rows, const std::function<void(const Operation&)>& each) {
  const Segment& s = segment(number);
  rows.end = std::min(rows.end, rows_);
  for (const std::uint64_t one : ahead(number)) {
    const auto op = operation(one, true);
    if (!op) return false;
    Operation made = *op;  // with the writes that it has made
    while (!made.writes.empty() && !wrote(one, made.writes.size() - 1)) made.writes.resize(made.writes.size() - 1);
    const auto& writes = std::as_const(made.writes);
    if (std::any_of(writes.begin(), writes.end(), [&](const Access& write) {
          const auto row = row_of(write, made);
          return row && *row >= rows.first && *row < rows.end;
        }))
      each(made);
  }
  if (step() < s.first_step) return true;
  if (regular(number))  // one operation a row
    return operations(
        number, rows,
        [&](const Operation& op) {
          if (op.step <= step()) each(op);
        },
        true);
  const RowIndex* by_row = index(number);
  if (by_row == nullptr) return false;
  const std::uint64_t done = std::min(step() - s.first_step + 1, s.count);
  for (std::uint64_t row = rows.first; row < rows.end; ++row) {
    if (by_row->first_writer(row) >= done) continue;
    const auto touching = by_row->of(row);
    for (auto at = std::lower_bound(touching.begin(), touching.end(), done, by_number); at != touching.begin();) {
      if (!RowIndex::writes(*--at)) continue;
      const auto op = operation(s.first_step + RowIndex::number(*at), true);
      if (!op) return false;
      each(*op);
      break;
    }
  }
  return true;
}

Operation Flow::with_loads(const Operation& operation) {
  Operation linked = operation;
  if (operation.kind != OperationKind::Store || !operation.reads.empty()) return linked;
  // An item's operations are together in a segment: back over its other stores, then over the loads before them.
  const std::uint64_t first = segment(static_cast<int>(replay_.segment_of(operation.step))).first_step;
  bool loading = false;
  for (std::uint64_t step = operation.step; step-- > first && linked.reads.size() < 4;) {
    const auto before = this->operation(step, true);
    if (!before || before->item != operation.item) break;
    if (before->kind == OperationKind::Load) {
      loading = true;
      linked.reads.push(before->reads[0]);
    } else if (loading || before->kind != OperationKind::Store) {
      break;
    }
  }
  return linked;
}

/// The formula of a segment that is under way, which counts only if the operation at the cursor is where it says.
std::optional<Regular> Flow::followed_formula(int number) {
  const auto formula = regular(number);
  if (!formula || step() < segment(number).first_step) return formula;
  const auto last = operation(step(), true);
  const auto row = last && !last->writes.empty() ? row_of(last->writes[0], *last) : std::nullopt;
  if (row && formula->butterfly(*row) == step() - segment(number).first_step) return formula;
  irregular_.insert(number);
  return {};
}

std::optional<Writers> Flow::writers(int number) {
  if (const auto formula = followed_formula(number)) return Writers{formula};
  const RowIndex* by_row = index(number);
  return by_row == nullptr ? std::nullopt : std::optional(Writers{{}, by_row});
}

std::vector<Rows> Flow::written_rows(int number, Rows within, double apart) {
  std::vector<Rows> runs;
  const Segment& s = segment(number);
  within.end = std::min(within.end, rows_);
  if (const std::vector<std::uint64_t> more = ahead(number); !more.empty()) {
    const Turn* turn = std::exchange(turn_, nullptr);
    const std::uint64_t before = replay_.step();
    replay_.seek(turn->moment.before);
    runs = written_rows(number, within, apart);
    replay_.seek(before);
    turn_ = turn;
    for (const std::uint64_t one : more)
      if (const auto op = operation(one, true))
        for (int w = 0; w < op->writes.size(); ++w)
          if (const auto row = row_of(op->writes[w], *op);
              row && *row >= within.first && *row < within.end && wrote(one, w))
            runs.push_back({*row, *row + 1});
    std::sort(runs.begin(), runs.end(), [](const Rows& a, const Rows& b) { return a.first < b.first; });
    std::vector<Rows> joined;
    for (const Rows& run : runs)
      if (!joined.empty() && run.first <= joined.back().end)
        joined.back().end = std::max(joined.back().end, run.end);
      else
        joined.push_back(run);
    return joined;
  }
  if (within.first >= within.end || step() < s.first_step) return runs;
  const std::uint64_t done = std::min(step() - s.first_step + 1, s.count);
  const auto add = [&](std::uint64_t first, std::uint64_t end) {
    first = std::max(first, within.first), end = std::min(end, within.end);
    if (first >= end) return;
    if (!runs.empty() && (first <= runs.back().end || double(first - runs.back().end) + 1 < apart)) {
      runs.back().end = end;
    } else {
      runs.push_back({first, end});
    }
  };
  if (done == s.count) {
    add(0, rows_);
    return runs;
  }
  if (const auto formula = followed_formula(number)) {
    const std::uint64_t blocks = done / formula->stride, part = done % formula->stride;
    add(0, blocks * formula->span);
    for (int leg = 0; leg < formula->radix && part > 0; ++leg) {
      const std::uint64_t first = blocks * formula->span + static_cast<std::uint64_t>(leg) * formula->stride;
      add(first, first + part);
    }
    return runs;
  }
  const RowIndex* by_row = index(number);
  if (by_row == nullptr) return runs;
  // Zoomed out by cells of rows that are no taller than a pixel.
  const auto add_cells = [&](const std::vector<RowIndex::Cell>& cells, std::uint64_t cell_rows) {
    for (std::uint64_t c = within.first / cell_rows; c < cells.size() && c * cell_rows < within.end; ++c)
      if (cells[c].first < done) add(c * cell_rows, (c + 1) * cell_rows);
  };
  if (apart >= double(RowIndex::coarse_rows)) {
    add_cells(by_row->coarse(), RowIndex::coarse_rows);
  } else if (apart >= double(RowIndex::fine_rows)) {
    add_cells(by_row->fine(), RowIndex::fine_rows);
  } else {
    for (std::uint64_t row = within.first; row < within.end; ++row)
      if (by_row->first_writer(row) < done) add(row, row + 1);
  }
  return runs;
}

std::uint64_t Flow::origin(std::uint64_t row) {
  const RowIndex* by_row = starts_with_swaps_ ? index(0) : nullptr;
  if (by_row == nullptr) return row;
  // Backwards through the swaps that touched the row, from the last one done.
  const Segment& s = segment(0);
  std::uint64_t before = step() < s.first_step ? 0 : std::min(step() - s.first_step + 1, s.count);
  for (;;) {
    const auto touching = by_row->of(row);
    auto place = std::lower_bound(touching.begin(), touching.end(), before, by_number);
    if (place == touching.begin()) return row;
    before = RowIndex::number(*--place);
    const auto op = operation(s.first_step + before, true);
    if (!op || op->kind != OperationKind::Swap || op->writes.size() != 2) return row;
    const auto one = row_of(op->writes[0], *op), other = row_of(op->writes[1], *op);
    if (!one || !other) return row;
    row = *one == row ? *other : *one;
  }
}

}  // namespace twiddle
