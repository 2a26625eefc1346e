// The repair search in a process of its own: it runs kernels that nobody wrote, and what one of them breaks must not take the
// findings with it.
#pragma once

#include "cli/options.h"
#include "tracer/repair/repair.h"

#include <functional>

namespace twiddle::cli {

/// From main(): keeps the command line, so that this program can be started again with it, and takes the mark of such a start
/// out of it.
void remember_command_line(int& count, char** arguments);

/// Whether this process is one that was started to search.
bool searching_repair();
/// In that process: searches, prints, and ends it without waiting for drivers. `thorough`: for up to a minute, and runs of any
/// size; otherwise for seconds, and small runs alone.
[[noreturn]] void search_repair_here(const Plan& plan, const RunOptions& options, bool thorough);

/// Starts it and waits, until `go_on` returns false. Whatever ends it, something is returned.
Repaired search_repair_apart(bool thorough, const std::function<bool()>& go_on);

}  // namespace twiddle::cli
