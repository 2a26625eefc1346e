// What a repair among a trace's findings makes of the file that it changes.
#pragma once

#include "tracer/trace/trace.h"
#include "viewer/facts/trace_facts.h"

#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// The findings of a trace as the checks gave them, in the notes' order.
std::vector<Finding> findings_in(const TraceFacts& facts);

/// The number of the note that has a repair: `chosen` where that is one, else the first.
std::optional<std::size_t> repair_note(const TraceFacts& facts, std::optional<std::size_t> chosen);

/// A kernel's source as the run had it, or the plan's file as it is, and the same with the repair.
struct RepairedText {
  std::string name;  // as SourceEdits names it
  std::string before, after;
};
/// Throws Error (usage) where the plan's file cannot be read or has other lines by now.
RepairedText repaired_text(const TraceInfo& info, const Finding& finding);

}  // namespace twiddle
