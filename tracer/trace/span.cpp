#include "tracer/trace/span.h"

namespace twiddle {

std::uint64_t span_of(const TraceInfo& info, const Operation& operation) {
  const std::uint64_t own = operation.span();
  if (own == 0 || operation.step == 0) return own;
  const std::size_t number = info.segment_of(operation.step);
  if (number >= info.segments.size()) return own;
  const Segment& segment = info.segments[number];
  return segment.launch == operation.launch && segment.span > 0 ? segment.span : own;
}

std::uint64_t block_rows(const Segment& segment, std::uint64_t rows) {
  const bool in_place = segment.read_stride > 0 && segment.read_stride == segment.write_stride;
  if (!in_place || segment.count == 0 || rows % segment.count != 0 || segment.span * segment.read_stride != rows)
    return segment.span;
  return rows / segment.count * segment.read_stride;
}

}  // namespace twiddle
