// Lifted operations as blocks of a trace.
#pragma once

#include "tracer/lift/lift.h"
#include "tracer/trace/block.h"

#include <cstdint>
#include <vector>

namespace twiddle {

/// The shape that a trace has for an operation; None: there is none, and a trace gets its accesses, as Loads and Stores. These
/// are: butterflies of values that are no elements of their buffer (two floats of a local float array as a complex value, unless
/// they are exchanged through it) nor of a pair of the trace's (trace/memory/pairs.h), or of several buffers; minima, maxima,
/// constants, halves of a spectrum, butterflies of real values or with points that were read as conjugates, products but floating
/// ones of two, which are Scales by one of them; Linear of several writes. A Sum of two is a Combine, other sums and the stored
/// outputs of a butterfly that has others are Terms and a Store, as is a sum whose values one statement read, again and again.
Shape shape_of(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log, const TraceInfo& info);

/// A window's operations in step order. Blocks are of one epoch and stage, of at most block_capacity operations, items
/// ascending, then slots; an epoch's barriers come after its work. Steps and segments are the sink's to number.
struct LiftedBlocks {
  struct Part {
    int epoch = 0, stage = 0;
    OperationBlock block;
  };
  std::vector<Part> parts;
  std::vector<Site> new_sites;  // lines that operations name, behind those of TraceInfo::sites
  // Complex values in two buffers, "re+im", and local arrays by what is exchanged through them, "shared@3": behind
  // TraceInfo::buffers.
  std::vector<BufferInfo> new_buffers;
  std::uint64_t lifted = 0;  // operations of the trace that are more than an access
  std::uint64_t loads_and_stores = 0;
  std::uint64_t barriers = 0;
  std::uint64_t unknown_coefficients = 0;  // that no value tells (of zeros); given as 1
  std::uint64_t left_out =
      0;  // accesses that are no elements: of a buffer that is not known, or of a part of an element
};

/// An operation refers to the line of its last access: a site of `info` without a macro, or a new one. Values are the log's.
LiftedBlocks operations_of(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, const LaunchInfo& launch);

}  // namespace twiddle
