// Spans of butterflies whose points are addressed in reversed order, so that nothing has to be permuted first.
#pragma once

#include "tracer/store/segment_facts.h"

#include <cstddef>
#include <functional>

namespace twiddle {

/// In place a block has radix × stride points, because stage after stage puts blocks side by side. With reversed addresses
/// it is the other way round: the first stage merges single points that are N/radix apart, and the last one neighbours. The
/// two are told apart by the stages that follow: strides that fall by the radix, from a stage whose twiddles are all 1 to
/// stages whose twiddles are not. (Decimation in frequency has falling strides, too, and takes whole blocks apart: it turns
/// after its butterflies, whose own twiddles are 1.)
class ReversedSpans {
 public:
  using Replace = std::function<void(std::size_t id, const Segment& segment)>;
  /// Puts the span of a finished segment right; hands to `replace` the one before that is now known to be the first stage.
  void settle(std::size_t id, Segment& segment, const SegmentFacts& facts, const Replace& replace);

 private:
  bool follows_ = false, confirmed_ = false;
  std::size_t first_id_ = 0;
  Segment first_;
  std::uint64_t points_ = 0, stride_ = 0;
};

}  // namespace twiddle
