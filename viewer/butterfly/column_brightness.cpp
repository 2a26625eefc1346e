#include "viewer/butterfly/column_brightness.h"

#include "viewer/document/recent.h"
#include "viewer/document/row_index.h"
#include "viewer/words/value_text.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <span>

namespace twiddle {
namespace {

constexpr std::size_t levels_kept = 40;

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
  /// written by is between two such numbers; before the first of them, and from the last on, nothing changes.
  std::vector<std::uint64_t> as_of;
  std::size_t next = 0;  // they are made in turn, over several frames if need be
};

struct KeptBrightness {
  std::map<int, std::vector<float>> summaries;  // of the trace file, by column
  std::list<ColumnLevels> levels;               // recently used first
  WrittenLevels written;
};

/// Magnitudes of rows [first, end) of a column, handed to `each(row, magnitude)`. Values that are no numbers count as 0.
template <typename Each>
void for_magnitudes(const Flow& flow, const State& state, int column, Rows rows, const Each& each) {
  const auto place = flow.place(column, rows.first);
  if (!place || rows.first >= rows.end) return;
  const BufferInfo& buffer = flow.info().buffers[place->buffer];
  const auto finite = [](double x) { return std::isfinite(x) ? static_cast<float>(x) : 0.0f; };
  const std::size_t size = traits(buffer.type).bytes;
  const bool local = buffer.space == Space::Local;  // then what is not written yet is no number
  const auto hand_over = [&](std::uint64_t first, std::span<const std::byte> bytes) {
    const auto count = bytes.size() / size;
    if (buffer.type == ElementType::Float2) {  // the usual case, without a call an element
      for (std::size_t i = 0; i < count; ++i) {
        float parts[2];
        if (local && is_uninitialised(bytes.subspan(i * size, size))) continue;
        std::memcpy(parts, bytes.data() + i * size, sizeof parts);
        const float m = std::sqrt(parts[0] * parts[0] + parts[1] * parts[1]);
        each(first + i, std::isfinite(m) ? m : 0.0f);
      }
      return;
    }
    Value value{buffer.type};
    for (std::size_t i = 0; i < count; ++i) {
      if (local && is_uninitialised(bytes.subspan(i * size, size))) continue;
      std::memcpy(value.bits.data(), bytes.data() + i * size, size);
      each(first + i, finite(magnitude(value)));
    }
  };
  if (!local) {
    hand_over(rows.first, state.bytes(place->buffer, rows.first, rows.end - rows.first));
    return;
  }
  // The arrays of the groups follow one another.
  std::vector<std::byte> bytes;
  for (std::uint64_t row = rows.first; row < rows.end;) {
    const auto here = flow.place(column, row);
    if (!here) return;
    const std::uint64_t end = flow.run_end(column, row, rows.end);
    bytes.resize((end - row) * size);
    if (state.read_bytes(here->buffer, here->group, here->index * size, bytes)) hand_over(row, bytes);
    row = end;
  }
}

class Brightness {
 public:
  Brightness(ButterflyFrame& frame, int column, float top, float pixel, int pixels)
      : f_(frame), flow_(frame.flow), column_(column), top_(top), pixel_(pixel), pixels_(pixels) {}

  std::vector<float> compute() {
    // A log of indices alone has no values but the input's.
    if (column_ - 1 > flow_.current_segment() || (flow_.info().detail == Detail::Index && column_ > 0)) return {};
    out_.assign(static_cast<std::size_t>(std::max(0, pixels_)), -1.0f);
    const bool done = flow_.complete(column_) ? finished() : in_progress();
    if (!done) return {};
    if (largest_ > 0)
      for (float& value : out_)
        if (value > 0) value = std::min(1.0f, value / largest_);
    return std::move(out_);
  }

 private:
  /// The rows behind a pixel, at least the one that its middle is in.
  Rows behind(int pixel) const {
    const auto at = [&](float y) { return std::clamp(row_at(f_.layout, y), 0.0, static_cast<double>(flow_.rows())); };
    const double from = at(top_ + static_cast<float>(pixel) * pixel_),
                 to = at(top_ + static_cast<float>(pixel + 1) * pixel_);
    if (to - from < 1) {
      const auto row = static_cast<std::uint64_t>(std::min((from + to) / 2, static_cast<double>(flow_.rows() - 1)));
      return {row, row + 1};
    }
    return {static_cast<std::uint64_t>(from), std::min(flow_.rows(), static_cast<std::uint64_t>(std::ceil(to)))};
  }

  /// Brightest of equal cells of `rows_per_cell` rows behind every pixel; the largest of all is that of `coarser` cells.
  bool from_cells(const std::vector<float>& cells, std::uint64_t rows_per_cell, const std::vector<float>& coarser) {
    for (int p = 0; p < pixels_; ++p) {
      const Rows rows = behind(p);
      float& out = out_[p];
      for (std::uint64_t c = rows.first / rows_per_cell; c < cells.size() && c * rows_per_cell < rows.end; ++c)
        out = std::max(out, cells[c]);
    }
    for (const float cell : coarser) largest_ = std::max(largest_, cell);
    return true;
  }

  void from_rows(const State& state, Rows rows) {
    for_magnitudes(flow_, state, column_, rows, [&](std::uint64_t row, float m) {
      largest_ = std::max(largest_, m);
      const double half = f_.layout.row_pitch / 2;
      const double y = f_.layout.first_row_y + static_cast<double>(row) * f_.layout.row_pitch - top_;
      const int from = std::max(0, static_cast<int>(std::floor((y - half) / pixel_ + 0.5)));
      const int to = std::min(pixels_ - 1, std::max(from, static_cast<int>(std::ceil((y + half) / pixel_ - 0.5)) - 1));
      for (int p = from; p <= to; ++p) out_[p] = std::max(out_[p], m);
    });
  }

  /// The rows themselves. False: they are not decoded yet.
  bool read_rows(Rows rows) {
    const auto state = flow_.state(column_);
    if (state) from_rows(*state, rows);
    return state != nullptr;
  }

  /// The file's own summary of the column; it is read once.
  const std::vector<float>& kept_summary(std::uint64_t& rows_per_cell) const {
    const Column& column = flow_.columns()[column_];
    const auto [entry, added] = f_.input.document.kept<KeptBrightness>().summaries.try_emplace(column_);
    std::vector<float>& cells = entry->second;
    if (added) cells = f_.input.document.trace->summary(column.segment, column.buffer);
    rows_per_cell = cells.empty() ? 0 : (flow_.info().buffers[column.buffer].count + cells.size() - 1) / cells.size();
    return cells;
  }

  bool finished() {
    const double rows_per_pixel = pixel_ / f_.layout.row_pitch;
    if (flow_.rows() <= 4096) return read_rows({0, flow_.rows()});
    std::uint64_t per_cell = 0;
    const std::vector<float> summary = kept_summary(per_cell);
    const bool fine_enough = !summary.empty() && static_cast<double>(per_cell) <= rows_per_pixel * 1.01;
    const ColumnLevels* levels = fine_enough ? nullptr : column_levels();
    if (levels == nullptr)  // or no time: the cells of the file, which are coarser but correct
      return !summary.empty() && from_cells(summary, per_cell, summary);
    if (rows_per_pixel >= static_cast<double>(ColumnLevels::coarse_rows))
      return from_cells(levels->coarse, ColumnLevels::coarse_rows, levels->coarse);
    if (rows_per_pixel >= static_cast<double>(ColumnLevels::fine_rows))
      return from_cells(levels->fine, ColumnLevels::fine_rows, levels->coarse);
    for (const float cell : levels->coarse) largest_ = std::max(largest_, cell);
    return read_rows(f_.layout.visible_rows);
  }

  const ColumnLevels* column_levels() {
    auto& levels = f_.input.document.kept<KeptBrightness>().levels;
    const auto cells = [&](std::uint64_t rows) { return std::vector<float>((flow_.rows() + rows - 1) / rows); };
    if (!recent(levels, [&](const ColumnLevels& one) { return one.column == column_; }))
      keep(levels, {column_, cells(ColumnLevels::fine_rows), cells(ColumnLevels::coarse_rows)}, levels_kept);
    ColumnLevels& made = levels.front();
    if (made.rows_done == flow_.rows()) return &made;

    const auto state = flow_.state(column_);
    if (!state) return nullptr;
    constexpr std::uint64_t piece = 1 << 15;  // a whole number of cells
    while (made.rows_done < flow_.rows()) {
      if (!flow_.has_time()) return nullptr;
      const Rows rows{made.rows_done, std::min(made.rows_done + piece, flow_.rows())};
      for_magnitudes(flow_, *state, column_, rows, [&](std::uint64_t row, float m) {
        float& fine = made.fine[row / ColumnLevels::fine_rows];
        float& coarse = made.coarse[row / ColumnLevels::coarse_rows];
        fine = std::max(fine, m), coarse = std::max(coarse, m);
      });
      made.rows_done = rows.end;
    }
    return &made;
  }

  /// The current segment's column: only what is written so far.
  bool in_progress() {
    const auto state = flow_.state(column_);
    if (!state) return false;
    std::uint64_t per_cell = 0;
    std::vector<float> summary;
    constexpr std::uint64_t many = 1 << 15;
    if (f_.layout.visible_rows.end - f_.layout.visible_rows.first > many) summary = kept_summary(per_cell);
    const double rows_per_pixel = pixel_ / f_.layout.row_pitch;
    if (rows_per_pixel >= static_cast<double>(RowIndex::fine_rows)) {
      const auto writers = flow_.writers(column_ - 1);
      if (writers && (!writers->formula || summary.empty())) {
        from_written(*state, *writers);
        return true;
      }
    }
    const std::vector<Rows> runs = flow_.written_rows(column_ - 1, f_.layout.visible_rows);
    if (flow_.incomplete() && runs.empty()) return false;
    for (Rows run : runs) {
      // Whole cells of the file's summary in the middle of a long run, rows at its ends.
      if (!summary.empty() && run.end - run.first > 2 * per_cell) {
        const std::uint64_t first = (run.first + per_cell - 1) / per_cell, end = run.end / per_cell;
        for (std::uint64_t c = first; c < end && c < summary.size(); ++c) {
          largest_ = std::max(largest_, summary[c]);
          spread(summary[c], {c * per_cell, (c + 1) * per_cell});
        }
        from_rows(*state, {run.first, first * per_cell});
        run.first = end * per_cell;
      }
      from_rows(*state, run);
    }
    return true;
  }

  /// What the log says who wrote it, by cells: only those whose content changed since the frame before are read again.
  void from_written(const State& state, const Writers& writers) {
    constexpr std::uint64_t rows = RowIndex::coarse_rows, fine_rows = RowIndex::fine_rows;
    WrittenLevels& levels = f_.input.document.kept<KeptBrightness>().written;
    const auto cells = [&](std::uint64_t of_rows) { return (flow_.rows() + of_rows - 1) / of_rows; };
    if (levels.column != column_ || levels.by_formula != writers.formula.has_value())
      levels = {column_, writers.formula.has_value(), std::vector<float>(cells(fine_rows), -1.0f),
                std::vector<std::uint64_t>(cells(rows))};
    const Segment& segment = flow_.segment(column_ - 1);
    const std::uint64_t done = flow_.step() - segment.first_step + 1;
    const Rows visible = f_.layout.visible_rows;
    const std::size_t first = visible.first / rows, end = std::min(cells(rows), visible.end / rows + 1);
    if (levels.next < first || levels.next >= end) levels.next = first;
    const auto renew = [&](std::size_t unit) {
      const RowIndex::Cell written = writers.coarse(unit);
      if (written.first == RowIndex::none) return true;
      const std::uint64_t as_of = std::clamp<std::uint64_t>(done, written.first, std::uint64_t(written.last) + 1);
      if (levels.as_of[unit] == as_of) return true;
      if (!flow_.has_time()) return false;
      const Rows part{unit * rows, std::min((unit + 1) * rows, flow_.rows())};
      std::fill(levels.fine.begin() + static_cast<std::ptrdiff_t>(part.first / fine_rows),
                levels.fine.begin() + static_cast<std::ptrdiff_t>((part.end + fine_rows - 1) / fine_rows), -1.0f);
      for_magnitudes(flow_, state, column_, part, [&](std::uint64_t row, float m) {
        if (writers.first(row) >= done) return;
        float& brightest = levels.fine[row / fine_rows];
        brightest = std::max(brightest, m);
      });
      levels.as_of[unit] = as_of;
      return true;
    };
    for (std::size_t count = first; count < end && renew(levels.next); ++count)
      levels.next = levels.next + 1 < end ? levels.next + 1 : first;

    from_cells(levels.fine, fine_rows, {});
    for (const float value : out_) largest_ = std::max(largest_, value);
  }

  void spread(float m, Rows rows) {
    const auto pixel_of = [&](std::uint64_t row) {
      return (f_.layout.first_row_y + (static_cast<double>(row) - 0.5) * f_.layout.row_pitch - top_) / pixel_;
    };
    const int from = std::max(0, static_cast<int>(pixel_of(rows.first)));
    const int to = std::min(pixels_ - 1, static_cast<int>(std::ceil(pixel_of(rows.end))) - 1);
    for (int p = from; p <= to; ++p) out_[p] = std::max(out_[p], m);
  }

  ButterflyFrame& f_;
  Flow& flow_;
  const int column_;
  const float top_, pixel_;
  const int pixels_;
  std::vector<float> out_;
  float largest_ = 0;
};

}  // namespace

std::vector<float> column_brightness(ButterflyFrame& frame, int column, float top, float pixel, int pixels) {
  return Brightness(frame, column, top, pixel, pixels).compute();
}

}  // namespace twiddle
