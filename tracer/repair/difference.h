// What a repair changes, as the accesses of both runs show it.
#pragma once

#include "tracer/repair/repair.h"
#include "tracer/trace/trace_source.h"

namespace twiddle {

/// Sets the repair's launch, stage, items, class and sentence by the first access that differs, in the order of launches, of
/// items, and of an item's accesses.
void describe_difference(const TraceSource& before, const TraceSource& after, Repair& repair);

/// Whether some line that touches memory before does so nowhere after, or less than half of the items of a launch do. `but`: a
/// line of the file `source` that is to do something else.
bool leaves_idle(const TraceSource& before, const TraceSource& after, const std::string& source, int but);

}  // namespace twiddle
