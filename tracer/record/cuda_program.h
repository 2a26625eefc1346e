// What a recorded CUDA program had NVRTC compile, and what it gave the kernels of it.
#pragma once

#include "kernels/plan/element.h"
#include "tracer/cuda/log/cuda_log.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A program's texts as sources of a trace: its own first, by the name of a .cu file, with those of its options that a plan can
/// say; then the headers that came with it.
struct CudaTexts {
  std::vector<SourceText> sources;
  /// The source that a file of a line table is; null: none of these.
  const SourceText* named(std::string_view file) const;

  std::vector<std::string> compiler_names;  // of each source, as the program gave it to NVRTC
};

/// The texts of the programs of a trace, each name for one text.
class CudaTextsOf {
 public:
  CudaTexts of(const CudaProgram& program);

 private:
  std::map<std::string, std::string> own_;  // texts by name
};

/// An argument of a launch.
struct CudaArgument {
  std::string name;                       // of the parameter
  std::string text;                       // of a value, as a plan writes it
  std::optional<std::uint64_t> address;   // of a pointer
  std::optional<ElementType> pointed_to;  // by a pointer
  std::vector<std::uint64_t> words;       // of a value that is no element: what may be pointers in it
};

/// The arguments by the types that the kernel's text gives them; none where the recording or the text does not say them. The
/// dynamic shared memory is not among them.
std::vector<CudaArgument> cuda_arguments_of(const CudaLaunch& launch, const std::string& kernel,
                                            const CudaTexts& texts);

}  // namespace twiddle
