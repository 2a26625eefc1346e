// What the pieces of a run are called, in every view, pane and page.
#pragma once

#include "tracer/trace/trace.h"

#include <cstddef>
#include <string>

namespace twiddle {

/// What a launch is called: its label, else its kernel's name.
std::string launch_name(const LaunchInfo& launch);

/// "stage 2", "bit reversal", "load", "swap 3": the stage; of a launch that is one segment its name; else what is done
/// there and in which interval between barriers. `segment` is an index into TraceInfo::segments.
std::string segment_name(const TraceInfo& info, std::size_t segment);
/// The same with its launch where another segment is of the same stage: "L2 stage 1".
std::string distinct_segment_name(const TraceInfo& info, std::size_t segment);
/// How its result is called: "bit-reversed", "loaded", "after stage 2".
std::string segment_result_name(const TraceInfo& info, std::size_t segment);

}  // namespace twiddle
