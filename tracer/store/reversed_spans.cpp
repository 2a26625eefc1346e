#include "tracer/store/reversed_spans.h"

namespace twiddle {

void ReversedSpans::settle(std::size_t id, Segment& segment, const SegmentFacts& facts, const Replace& replace) {
  if (segment.kind != OperationKind::Butterfly) return;
  if (!facts.in_place() || segment.read_stride == 0 || segment.span % segment.read_stride != 0) {
    follows_ = false;
    return;
  }
  const std::uint64_t radix = segment.span / segment.read_stride;
  if (follows_ && segment.read_buffer == first_.read_buffer && segment.read_stride * radix == stride_ &&
      (confirmed_ || !facts.plain())) {
    if (!confirmed_) {
      first_.span = points_ / first_.read_stride;
      replace(first_id_, first_);
      confirmed_ = true;
    }
    stride_ = segment.read_stride;
    segment.span = points_ / stride_;
    return;
  }
  follows_ = facts.plain() && segment.read_stride > 1;
  confirmed_ = false;
  first_id_ = id;
  first_ = segment;
  points_ = segment.span;
  stride_ = segment.read_stride;
}

}  // namespace twiddle
