// How many points a butterfly's block merges, where its own indices do not say.
#pragma once

#include "tracer/trace/trace.h"

namespace twiddle {

/// The points that a butterfly's block merges; 0 where that has no meaning. What its segment says goes before what its own
/// indices do: where points are addressed in reversed order, stage after stage halves the distance and doubles the block.
std::uint64_t span_of(const TraceInfo& info, const Operation& operation);

/// The rows from the first of a segment's block to its last, of `rows` in all; 0 where its butterflies do not agree.
std::uint64_t block_rows(const Segment& segment, std::uint64_t rows);

}  // namespace twiddle
