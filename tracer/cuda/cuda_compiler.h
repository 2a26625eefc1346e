// CUDA C++ to machine code through NVRTC. Needs the library, but neither a driver nor a GPU.
#pragma once

#include "tracer/cuda/cuda_api.h"
#include "tracer/runtime/runtime.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle::cuda {

/// A kernel as the compiled program has it.
struct Entry {
  std::string name;    // as the source names it
  std::string symbol;  // the same for extern "C" kernels, else mangled
  std::vector<std::size_t> parameter_bytes;
  bool awaits = false;  // waits itself for what the launch before leaves, and may be started before that has ended
};

struct Compiled {
  std::string image;  // a cubin for the device's architecture, or PTX where NVRTC does not know that one yet
  std::string ptx;
  std::vector<Entry> entries;  // in the order of the source
};

/// Compiles for compute capability major.minor, with line information. Throws Error: usage with the compiler's messages, at
/// the user's own lines, when the source does not compile.
Compiled compile(const Nvrtc& nvrtc, const ProgramSource& source, int major, int minor);

/// The kernels of a PTX text with their parameters.
std::vector<Entry> entries_of(std::string_view ptx);

}  // namespace twiddle::cuda
