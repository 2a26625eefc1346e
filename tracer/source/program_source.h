// A program's text on its way to a compiler.
#pragma once

#include <string>
#include <vector>

namespace twiddle {

/// What the compiler gets: one text with everything included and #line directives in place, so that messages and __LINE__
/// are the user's own.
struct ProgramSource {
  std::string name;  // "fft_radix2.cl"
  std::string text;
  std::vector<std::string> defines;  // "NAME=VALUE"
  std::vector<std::string>
      kernels{};  // that launches name, "k<float, 8>" among them: instances of templates to be made
  std::vector<std::string> options{};  // of any language's compiler
  bool operator==(const ProgramSource&) const = default;
};

/// An option that any CUDA compiler takes: nothing is logged of the program's runs, so that nothing has to be made ready for it.
inline constexpr const char* unlogged_option = "-DTWIDDLE_UNLOGGED";

/// Those of the options that OpenCL's compilers take ("-cl-std=CL2.0", "-w"), or those that CUDA's take.
std::vector<std::string> options_of(const ProgramSource& source, bool opencl);

/// The text with the defines before it, for compilers whose options cannot carry every value; lines stay the text's own.
std::string compiler_text(const ProgramSource& source);

}  // namespace twiddle
