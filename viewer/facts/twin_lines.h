// The lines of a source that a finding is about: where the two parties are, what the right twin has instead, what a repair
// changes.
#pragma once

#include "tracer/checks/finding.h"
#include "tracer/trace/trace.h"

#include <string>
#include <vector>

namespace twiddle {

struct FindingLine {
  enum class Kind : std::uint8_t { Code, Missing, Wrong };  // Missing: only what is right has it
  enum class Part : std::uint8_t { None, Here, Other };     // who of the two parties runs it
  int number = 0;                                           // from 1; 0: lines are left out here
  std::string text;                                         // without its indentation
  Kind kind = Kind::Code;
  Part role = Part::None;
};

/// At most some ten lines: those of the two parties and the changed ones, each with a neighbour. Of the gallery's kernels the
/// right twin's lines are those that RIGHT selects. Empty where no line is known.
std::vector<FindingLine> finding_lines(const TraceInfo& info, const Finding& finding);

/// The id of an algorithm's right twin in the gallery; empty: it has none.
std::string twin_of(const std::string& algorithm);

}  // namespace twiddle
