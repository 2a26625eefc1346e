// {{…}}: what a lesson says of a run's numbers, evaluated on its trace.
#pragma once

#include "lessons/run/lesson_run.h"

#include <string>
#include <string_view>

namespace twiddle {

/// An element as lessons write it: "F[3]", or "tile[3]@1" of work-group 1's own local array.
struct ElementName {
  int buffer = -1;  // index into TraceInfo::buffers
  std::uint64_t index = 0, group = 0;
};
/// Throws Error (usage) that names the buffers there are. `launch` settles which local array is meant (0: any).
ElementName parse_element(const TraceInfo& info, std::string_view text, int launch = 0);

/// The steps of a position as lessons write it: "L2.S1" is all of that stage, with an item that operation alone.
struct StepRange {
  std::uint64_t first = 1, last = 0;  // first > last: no step (start)
};
StepRange steps_at(LessonRun& run, std::string_view position);

/// What a reference stands for, as text. `run` is the step's own; a reference may name another one of the lesson:
/// "inverse: value x[3] at end". Throws Error (usage) that says what is wrong with the reference.
std::string evaluate(std::string_view reference, const Lesson& lesson, const std::string& run, LessonRuns& runs);

}  // namespace twiddle
