// A request: what the items of a sub-group do at the same time, in lockstep, as far as the log shows it.
#pragma once

#include "tracer/replay/turns.h"
#include "viewer/document/document.h"

#include <vector>

namespace twiddle {

/// The operations of the other items of an operation's sub-group that come from the same trace line at the same turn, itself
/// included, by ascending item.
std::vector<Operation> request_of(Document& document, const Operation& operation);

}  // namespace twiddle
