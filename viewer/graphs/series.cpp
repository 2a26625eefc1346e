#include "viewer/graphs/series.h"

#include "viewer/document/flow.h"
#include "viewer/document/recent.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <list>

namespace twiddle {
namespace {

constexpr std::uint64_t large = 1 << 14;  // elements: from here on levels are kept
constexpr std::size_t levels_kept = 24;
using KeptSeries = std::list<SeriesLevels>;  // recently used first

float part_of(ElementType type, const std::byte* element, NumberPart part) {
  const double x = component(type, element, 0), y = traits(type).components > 1 ? component(type, element, 1) : 0;
  switch (part) {
    case NumberPart::Real: return static_cast<float>(x);
    case NumberPart::Imaginary: return static_cast<float>(y);
    case NumberPart::Magnitude: return static_cast<float>(std::hypot(x, y));
  }
  return 0;
}

}  // namespace

void Extent::take(float value) {
  if (!std::isfinite(value)) return;
  low = known ? std::min(low, value) : value;
  high = known ? std::max(high, value) : value;
  known = true;
}

void Extent::take(const Extent& other) {
  if (!other.known) return;
  take(other.low);
  take(other.high);
}

Series::Series(Document& document, int buffer, std::uint64_t group, NumberPart part, std::shared_ptr<const State> state)
    : buffer_(buffer), group_(group), part_(part), state_(std::move(state)) {
  const BufferInfo& info = document.info().buffers[buffer];
  type_ = info.type;
  count_ = info.count;
  local_ = info.space == Space::Local;
  ready_ = state_ != nullptr;
}

Series::Series(Document& document, int buffer, std::uint64_t group, int segment, NumberPart part)
    : Series(document, buffer, group, part, document.flow().state(segment + 1)) {
  segment_ = segment;
  if (ready_ && count_ > large && !local_) measure(document, segment);
}

Series Series::at_cursor(Document& document, int buffer, std::uint64_t group, NumberPart part) {
  Flow& flow = document.flow();
  const int segment = flow.current_segment();
  // A finished segment's state, or none begun, can be kept; a large buffer in the middle of one shows what it held before.
  if (flow.complete(segment + 1)) return {document, buffer, group, segment, part};
  const BufferInfo& info = document.info().buffers[buffer];
  if (info.count > large && info.space != Space::Local) return {document, buffer, group, segment - 1, part};
  return {document, buffer, group, part, flow.state(segment + 1)};
}

void Series::measure(Document& document, int segment) {
  auto& list = document.kept<KeptSeries>();
  const auto is = [&](const SeriesLevels& levels) {
    return levels.buffer == buffer_ && levels.segment == segment && levels.part == part_;
  };
  const auto cells = [&](std::uint64_t each) { return std::vector<Extent>((count_ + each - 1) / each); };
  if (!recent(list, is))
    keep(list, {buffer_, segment, part_, cells(SeriesLevels::fine), cells(SeriesLevels::coarse)}, levels_kept);
  SeriesLevels& levels = list.front();
  constexpr std::uint64_t piece = 1 << 15;
  while (levels.done < count_) {
    if (!document.flow().has_time()) {
      ready_ = false;
      return;
    }
    const std::uint64_t end = std::min(levels.done + piece, count_);
    for (std::uint64_t at = levels.done; at < end; at += SeriesLevels::fine) {
      const Extent cell = read(at, std::min(at + SeriesLevels::fine, end));
      levels.fine_cells[at / SeriesLevels::fine] = cell;
      levels.coarse_cells[at / SeriesLevels::coarse].take(cell);
    }
    levels.done = end;
  }
  levels_ = &levels;
}

Extent Series::read(std::uint64_t first, std::uint64_t end) const {
  Extent extent;
  take_pieces(first, end, end - first, {&extent, 1});
  return extent;
}

void Series::take_pieces(std::uint64_t first, std::uint64_t end, std::uint64_t step, std::span<Extent> out) const {
  const std::size_t size = traits(type_).bytes;
  if (local_) {
    std::array<std::byte, 16> element{};
    for (std::uint64_t i = first; i < end; ++i) {
      const std::span<std::byte> bits(element.data(), size);
      if (state_->read(buffer_, group_, i, bits) && !is_uninitialised(bits))
        out[(i - first) / step].take(part_of(type_, bits.data(), part_));
    }
    return;
  }
  const std::vector<std::byte> bytes = state_->bytes(buffer_, first, end - first);
  const std::size_t count = bytes.size() / size;
  for (std::size_t piece = 0; piece * step < count; ++piece) {
    Extent& extent = out[piece];
    for (std::size_t at = piece * step * size; at < std::min((piece + 1) * step, count) * size; at += size) {
      if (type_ == ElementType::Float2) {  // the usual case, without a call an element
        float xy[2];
        std::memcpy(xy, bytes.data() + at, sizeof xy);
        extent.take(part_ == NumberPart::Real        ? xy[0]
                    : part_ == NumberPart::Imaginary ? xy[1]
                                                     : std::sqrt(xy[0] * xy[0] + xy[1] * xy[1]));
      } else if (!is_uninitialised({bytes.data() + at, size})) {
        extent.take(part_of(type_, bytes.data() + at, part_));
      }
    }
  }
}

Extent Series::over(std::uint64_t first, std::uint64_t end) const {
  end = std::min(end, count_);
  Extent extent;
  if (first >= end || !ready_) return extent;
  if (!levels_) return read(first, end);
  // Whole cells in the middle, elements at the ends.
  const auto cells = [&](std::uint64_t size, const std::vector<Extent>& list, auto&& ends) {
    const std::uint64_t from = (first + size - 1) / size, to = end == count_ ? list.size() : end / size;
    if (from >= to) return ends(first, end);
    for (std::uint64_t c = from; c < to; ++c) extent.take(list[c]);
    ends(first, std::min(from * size, end));
    ends(std::min(std::max(to * size, first), end), end);
  };
  const auto elements = [&](std::uint64_t from, std::uint64_t to) {
    if (from < to) extent.take(read(from, to));
  };
  if (end - first < SeriesLevels::fine) {
    elements(first, end);
  } else if (end - first < 2 * SeriesLevels::coarse) {
    cells(SeriesLevels::fine, levels_->fine_cells, elements);
  } else {
    const auto fine = [&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t c = from / SeriesLevels::fine; c * SeriesLevels::fine < to; ++c)
        extent.take(levels_->fine_cells[c]);
    };
    cells(SeriesLevels::coarse, levels_->coarse_cells, fine);
  }
  return extent;
}

}  // namespace twiddle
