// The statements that trace lines speak of.
#pragma once

#include "tracer/checks/finding.h"
#include "tracer/replay/replay.h"

#include <vector>

namespace twiddle {

/// Finds, for findings at a trace line of a launch whose accesses are in the trace, the statement before it in which the
/// culprit writes the finding's element, or else reads it, and sets Finding::statement_line; of an operation that was found in
/// accesses, Finding::line, which of a wrong twiddle that was read from a table is the line of that read.
void find_statements(Replay& replay, std::vector<Finding>& findings);

}  // namespace twiddle
