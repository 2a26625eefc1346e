// Which buffers and local arrays a picture of memory shows, and in how many columns, so that what they hold can be read.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

/// A buffer, or one group's local array.
struct Region {
  int buffer = -1;
  std::uint64_t group = 0;
  bool operator==(const Region&) const = default;
};

/// Four sectors of global memory, or the 32 banks of local memory: the longest row there is.
inline constexpr std::uint64_t max_row_bytes = 128;  // bytes
/// Heights of rows, layout units: with a value in two lines and its writer; and the usual one, where rows are few.
inline constexpr float comfortable_row = 54, usual_row = 88;

/// How many rows of `row_bytes` a buffer has, at least one; and how many elements are in each: what is shorter fills it.
std::uint64_t rows_of(const BufferInfo& buffer, std::uint64_t row_bytes = max_row_bytes);
std::uint64_t elements_per_row(const BufferInfo& buffer, std::uint64_t row_bytes = max_row_bytes);

/// What an operation touches, what it reads first: at most two. Without one, the input.
std::vector<Region> touched_regions(const TraceInfo& info, const std::optional<Operation>& now);
/// The same, and what else there is room for in `height`: the arrays of the groups beside a group, the other buffers.
/// All heights and widths are in layout units: px of a view at scale 1.
std::vector<Region> regions_in(const TraceInfo& info, std::vector<Region> touched, float height, float title_height);

/// How a buffer's elements are put into rows.
struct RowLayout {
  std::uint64_t row_bytes = max_row_bytes, per_row = 1, rows = 1;
  float pitch = 0;        // of a row, when all of them are in the room
  float max_pitch = 0;    // of a row, however few there are
  bool readable = false;  // whether values can be written into elements at this pitch
};
/// The columns that let values be read, and fill the room best: fewer where there are few elements. A row of local memory
/// is all of its banks wherever that can be read.
RowLayout row_layout(const BufferInfo& buffer, float width, float height);
/// The longest rows whose elements are wide enough for values, at any height; nothing when none are.
std::optional<RowLayout> wide_layout(const BufferInfo& buffer, float width);

/// Whether a value can be written into an element of this size, and the size of type for it.
bool values_fit(const BufferInfo& buffer, float width, float height);
float element_type_size(float width, float height);

}  // namespace twiddle
