// A Fourier transform beside its reference on the way, not only at the end: after the butterflies of each span, the transforms of
// that many points that the usual orders hold there.
#pragma once

#include "base/message.h"
#include "tracer/trace/trace_source.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace twiddle {

/// Of a segment: the first of its operations that differs, and how many do.
struct StageParting {
  int segment = -1;
  std::uint64_t step = 0, operations = 0;
};

struct StageComparison {
  std::vector<StageParting> stages;     // in which something differs, in the run's order
  std::vector<bool> compared;           // by segment: whether its values were compared
  std::vector<Message> not_compared{};  // a sentence each: what was not, and why
};

/// Computes all partial transforms of the input in double precision, N log₂ N of them, and finds in which of the usual orders the
/// trace's butterflies leave theirs: bin j of the L-point transform of every N/L-th point from o on, block after block, or as
/// Stockham has them (tracer/checks/ideal/transform_parts.h). The first stage says, of which seven eighths have to be right.
/// Compared are butterflies of one radix and span that write whole arrays, or a local array for each line of N points; of what
/// comes after others nothing is. Numbers within 64 roundings a stage of the largest are the same. Throws Error where the trace
/// cannot be read. `stop` ends it early.
StageComparison compare_stages(const std::shared_ptr<const TraceSource>& trace, const std::atomic<bool>& stop);

}  // namespace twiddle
