// What a change of the kernel changed: two traces of the same plan, as notes for the scrub bar and the list.
#pragma once

#include "viewer/trace_facts.h"

#include <functional>
#include <memory>
#include <vector>

namespace twiddle {

/// A note for each operation of `after` that is not as in `before`, in order: the first `most`, and one that sums up, which
/// comes first. Nothing when the traces are the same. Traces that cannot be compared give one note that says why.
std::vector<TraceNote> changes_between(const std::shared_ptr<const TraceReader>& before,
                                       const std::shared_ptr<const TraceReader>& after, std::size_t most = 100,
                                       const std::function<bool()>& go_on = {});

}  // namespace twiddle
