// The traces that the processes of one run left, one a rank: one of them is shown, and another takes its place at the same step.
#pragma once

#include "viewer/session/traces.h"
#include "viewer/session/window_options.h"
#include "viewer/state/choice_fields.h"

#include <string>
#include <vector>

namespace twiddle {

/// The traces as ranks of one run, in the order that they are given in. Throws Error (usage) where one is no rank, is of another
/// command, or is there twice.
std::vector<RankTrace> ranks_of(const std::vector<std::shared_ptr<const TraceSource>>& traces);
/// Whether a trace was left by one of several processes.
bool is_rank(const TraceInfo& info);

/// The field of the top bar that says which rank is shown, and has the others as entries.
ChoiceField rank_field(const std::vector<RankTrace>& ranks, const TraceInfo& shown);

/// Shows this rank at the step that corresponds to the one that is shown. Throws Error: unreadable, usage for a rank that there
/// is not.
void show_rank(const std::vector<RankTrace>& ranks, const std::string& rank, WindowControl& control, Traces& traces);

}  // namespace twiddle
