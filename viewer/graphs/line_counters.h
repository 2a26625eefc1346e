// What each line of a kernel's source, and each stage, cost over a whole run, in the turns of lockstep: how often it ran, how
// many lanes were at work, and what memory it asked for.
#pragma once

#include "tracer/replay/turns.h"
#include "viewer/document/document.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace twiddle {

struct LineCount {
  std::uint64_t runs = 0;                      // times that a sub-group came to the line
  std::uint64_t lanes = 0;                     // at work in these, of sub_group_size each
  std::uint64_t sectors = 0, min_sectors = 0;  // of global memory; the least that holds what was touched
  std::uint64_t passes = 0, min_passes = 0;    // through the banks of local memory; without conflicts
  bool costly = false;                         // a request took more sectors than an unaligned run of them does
};

/// By source (index into TraceInfo::sources) and line.
using LineCounters = std::map<std::pair<int, int>, LineCount>;

/// What the accesses of sub-groups, turn by turn, asked one kind of memory for in a segment.
struct AccessCosts {
  struct Access {
    std::uint64_t lanes = 0;             // that take part
    std::uint64_t asked = 0, least = 0;  // sectors, or passes through the banks; the least that would do
    int buffer = -1;
    TurnPlace place{};
    std::uint64_t avoidable() const { return asked - least; }
  };
  std::uint64_t accesses = 0;
  std::uint64_t asked = 0, least = 0;  // of all of them
  Access worst{};                      // the first that asks for the most above its least, and of these for the most
  bool costly = false;                 // one asks for more than it must: see LineCount
  void add(const Access& access, bool more_than_it_must);
  void add(const AccessCosts& more);  // of what comes after it
};
struct SegmentCosts {
  AccessCosts sectors, passes;
};

/// Of the whole trace, by segment, kept: the same count as line_counters', with its bounds.
const std::vector<SegmentCosts>* segment_costs(Document& document, double patience_ms);

/// Of the whole trace, kept. Null while they are counted, for which it waits so long; empty of traces of more than 2^24 steps.
const LineCounters* line_counters(Document& document, double patience_ms);

}  // namespace twiddle
