// What each line of a kernel's source cost over a whole run, in the turns of lockstep: how often it ran, how many lanes were at
// work, and what memory it asked for.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <map>
#include <utility>

namespace twiddle {

struct LineCount {
  std::uint64_t runs = 0;                        // times that a sub-group came to the line
  std::uint64_t lanes = 0;                       // at work in these, of sub_group_size each
  std::uint64_t sectors = 0, least_sectors = 0;  // of global memory; the least that holds what was touched
  std::uint64_t passes = 0, least_passes = 0;    // through the banks of local memory; without conflicts
  bool costly = false;                           // a request took more sectors than an unaligned run of them does
};

/// By source (index into TraceInfo::sources) and line.
using LineCounters = std::map<std::pair<int, int>, LineCount>;

/// Of the whole trace, kept. Null while they are counted, for which it waits so long; empty of traces of more than 2^24 steps.
const LineCounters* line_counters(Document& document, double patience_ms);

}  // namespace twiddle
