// Words that the panes of a turn share.
#pragma once

#include "viewer/document/turn.h"
#include "viewer/panels/panels.h"

#include <string>

namespace twiddle {

/// "sub-group 0", "warp 0".
std::string sub_group_name(const TraceInfo& info, const Turn& turn);
/// "no item", "guard is false", "left early".
std::string reason_text(Mask mask);
/// "4 sectors, 128 of 128 bytes used", "2 passes, 1 at best: degree 2"; empty of registers.
std::string cost_words(const TraceInfo& info, const Turn& turn);
/// On one line: "Sub-group 0, turn 2 of 4: b ← s[…], 8 of 32 lanes; 2 passes, 1 at best: degree 2".
std::string turn_sentence(const TraceInfo& info, const Turn& turn);
/// Whether a lane's access is served in a later pass than the first because of a conflict.
bool is_late(const Turn& turn, std::uint64_t lane);

}  // namespace twiddle
