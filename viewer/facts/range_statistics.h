// What happened between two steps, in numbers: what a range dragged on the scrub bar tells.
#pragma once

#include "viewer/document/document.h"
#include "viewer/facts/trace_facts.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace twiddle {

struct RangeStatistics {
  std::uint64_t first = 0, last = 0;             // steps
  std::uint64_t operations = 0, segments = 0;    // in it; stages and epochs that it touches
  std::array<std::uint64_t, 3> findings{};       // by severity
  std::map<std::string, std::uint64_t> classes;  // of these, how many by name
  std::uint64_t active = 0, lanes = 0;           // lanes at work of those issued, in the segments that are whole in it
  std::uint64_t diverged = 0, sub_groups = 0;    // sub-groups that diverge, of those that run, in the same
  std::string said_sub_groups;                   // "2 of 8 sub-groups diverge", in the words of the kernels' language
  bool complete = true;                          // whether all of these segments have been read
};

/// Of the steps `first` … `last`, from 1; swapped when they are the other way round. Reads what it needs of the segments.
RangeStatistics range_statistics(Document& document, const TraceFacts& facts, std::uint64_t first, std::uint64_t last);

/// It in sentences, in the language that is set.
std::vector<std::string> range_text(const RangeStatistics& statistics);

}  // namespace twiddle
