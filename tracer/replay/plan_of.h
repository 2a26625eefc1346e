// The plan that a trace is of, as far as the trace says it.
#pragma once

#include "kernels/plan/plan.h"
#include "tracer/trace/trace.h"

namespace twiddle {

/// Its title, parameters, signal, expectation and buffers; no launches, sources or contents. What references are computed from.
Plan plan_of(const TraceInfo& info);

}  // namespace twiddle
