// The repair search in a process of its own: it runs kernels that no author wrote, and what one of them breaks must not take the
// findings with it.
#pragma once

#include "cli/options.h"
#include "tracer/repair/repair.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace twiddle::cli {

/// From main(): keeps the command line, so that this program can be started again with it, and takes the mark of such a start
/// out of it.
void remember_command_line(int& count, char** arguments);

/// Whether this process is one that was started to search.
bool searching_repair();
/// In that process: searches, prints, and ends it without waiting for drivers. `thorough`: for up to a minute, and runs of any
/// size; otherwise for seconds, and small runs alone.
[[noreturn]] void search_repair_here(RunOptions options, bool thorough);

/// Starts `program`, with the mark of a search and then `words` behind its own arguments, and again where it ends before it is
/// through: each time the mark says what was begun and found until then, and how long that took.
Repaired searched_by(const std::vector<std::string>& program, const std::vector<std::string>& words, bool thorough,
                     const std::function<bool(std::uint64_t tried)>& go_on);
/// Starts it with this program's own command line, and waits; `signal`, where it is not empty, is the input in place of the plan's.
/// `go_on` is asked ten times a second, with how many changes were tried by then; when it returns false the search ends.
/// Something is returned however it ends.
Repaired search_repair_apart(bool thorough, const std::string& signal,
                             const std::function<bool(std::uint64_t tried)>& go_on);
/// The same of another request, for the window: up to a minute, and runs of any size.
Repaired search_repair_apart(const Request& request, const std::string& runtime, int device,
                             const std::function<bool(std::uint64_t tried)>& go_on);

}  // namespace twiddle::cli
