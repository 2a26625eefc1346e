// What a trace says, for papers set with LaTeX: an operation's equations, and a table of the state after each stage.
#pragma once

#include "tracer/trace/operation.h"
#include "viewer/document/document.h"

#include <string>

namespace twiddle {

/// The equations that describe() writes, as an align* environment (amsmath).
std::string latex_equation(const TraceInfo& info, const Operation& operation);

/// Rows are indices, columns the state before the first operation and after each segment up to a step, as a tabular. Throws
/// Error (usage) of traces with more rows than a page has room for, and of those whose states are no columns.
std::string latex_table(Document& document, std::uint64_t step);

}  // namespace twiddle
