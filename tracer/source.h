// Kernel sources on their way to the compiler: includes put in place, trace lines found, line numbers kept.
#pragma once

#include "kernels/catalogue.h"
#include "tracer/runtime.h"
#include "tracer/trace.h"

#include <string>
#include <vector>

namespace twiddle {

/// The source with `#include "trace_device.h"` and its own neighbours' includes put in place between #line directives.
/// Includes outside the source's directory (or the catalogue's) are refused. With `traced`, TWIDDLE_TRACE, TRACE_VALUES and
/// TRACE_DIMENSIONS are defined as asked. Throws Error (usage).
struct Instrumentation { bool traced = true; Detail detail = Detail::Values; bool filter = false; int dimensions = 1; };
ProgramSource prepare_source(const KernelSource& source, const std::vector<std::string>& defines,
                             const Instrumentation& instrumentation);

/// Every trace line of a source, in order; comments and strings are skipped.
std::vector<Site> find_sites(const std::string& text, int source_index);

/// A local array the kernel declares itself or takes as a local pointer parameter.
struct LocalArray { std::string name; ElementType type; std::uint64_t count; /* 0: not a literal */ int parameter; /* −1 */ };
/// The parameter names of a kernel, in order, TRACE_PARAMS left out, and its local arrays. Throws Error (usage) when the
/// source has no such kernel.
struct KernelSignature { std::vector<std::string> parameters; std::vector<LocalArray> locals; bool takes_trace = false; };
KernelSignature kernel_signature(const std::string& text, const std::string& kernel);

}  // namespace twiddle
