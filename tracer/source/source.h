// Kernel sources on their way to the compiler: includes put in place, trace lines found, line numbers kept.
// Sources are untrusted text: every function here is linear in its size, and the size is bounded.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "tracer/source/program_source.h"
#include "tracer/source/tokens.h"
#include "tracer/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// The source with `#include "trace_device.h"` and its own neighbours' includes put in place between #line directives.
/// Includes outside the source's directory (or the catalogue's) are refused. With `traced`, TWIDDLE_TRACE, TRACE_VALUES and
/// TRACE_DIMENSIONS are defined as asked. Throws Error (usage).
struct Instrumentation {
  bool traced = true;
  Detail detail = Detail::Values;
  bool filter = false;
  int dimensions = 1;
};
ProgramSource prepare_source(const KernelSource& source, const std::vector<std::string>& defines,
                             const Instrumentation& instrumentation);

/// The files a person wrote: the source itself first, then what it includes (trace_device.h left out), each once.
std::vector<SourceText> source_files(const KernelSource& source);

/// Both in one reading of the files: for callers that need the one and the other.
struct FlatSource {
  std::string name, text;         // with what it includes in place
  std::vector<SourceText> files;  // as of source_files
};
FlatSource flat_source(const KernelSource& source);
ProgramSource prepare_source(const FlatSource& source, const std::vector<std::string>& defines,
                             const Instrumentation& instrumentation);

/// Every trace line of a source, in order; comments and strings are skipped. A macro of the source's own that holds trace
/// lines makes its uses sites.
std::vector<Site> find_sites(const std::string& text, int source_index);

/// A local array the kernel declares itself or takes as a local pointer parameter.
struct LocalArray {
  std::string name;
  ElementType type;
  std::uint64_t count;   // elements; 0: not a constant that the source alone tells
  int parameter;         // index into KernelSignature::parameters, or −1
  bool dynamic = false;  // CUDA's `extern __shared__`: as many elements as the launch brings memory for
};

/// What a kernel's parameter is, as far as the source says: the type that is handed over or pointed to ("float2"; none of a
/// struct, an image or a sampler), and how it was written ("Particle").
struct ParameterType {
  std::optional<ElementType> element;
  std::string written;
  bool pointer = false, local = false, constant = false;  // of a pointer: to local or constant memory
};

/// "k" of "k", "k<float, 8>" and "ns::k<8>": what the source calls the kernel that a launch names.
std::string kernel_base_name(std::string_view kernel);

/// The parameter names of a kernel, in order, TRACE_PARAMS left out, and its local arrays. Throws Error (usage) when the
/// source has no such kernel. Of an instance of a template the arguments may be used in array sizes and types, too. `defines`
/// ("NAME=VALUE") and what `included` defines may be used in array sizes and types.
struct KernelSignature {
  std::vector<std::string> parameters;
  std::vector<ParameterType> types;  // of each parameter
  std::vector<bool> read_only;       // of each parameter: a pointer to const or constant memory
  std::vector<LocalArray> locals;
  std::vector<LocalArray> registers;  // arrays of numbers that each work-item has for itself
  bool takes_trace = false;
  bool sets_stage = false;            // has TRACE_STAGE lines
  int first_line = 0, last_line = 0;  // of its definition
};
KernelSignature kernel_signature(const std::string& text, const std::string& kernel,
                                 const std::vector<std::string>& defines = {}, const std::string& included = {});

/// Where a kernel is defined: tokens of its `kernel` or `__global__`, its name, the brackets of its parameters, its body's "{".
struct KernelDefinition {
  std::size_t keyword, name, open, close, body;
};
std::vector<KernelDefinition> kernel_definitions(const std::vector<Token>& tokens);

/// The names of the kernels that a source defines, in order.
std::vector<std::string> kernel_names(const std::string& text);

}  // namespace twiddle
