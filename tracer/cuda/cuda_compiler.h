// CUDA C++ to machine code through NVRTC. Needs the library, but neither a driver nor a GPU.
#pragma once

#include "tracer/cuda/cuda_api.h"
#include "tracer/cuda/ptx/ptx.h"
#include "tracer/runtime/runtime.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle::cuda {

struct Compiled {
  std::string image;  // a cubin for the device's architecture, or PTX where NVRTC does not know that one yet
  std::string ptx;
  std::vector<Entry> entries;  // in the order of the source
};

/// Compiles for compute capability major.minor, with line information. Throws Error: usage with the compiler's messages, at
/// the user's own lines, when the source does not compile.
Compiled compile(const Nvrtc& nvrtc, const ProgramSource& source, int major, int minor);

}  // namespace twiddle::cuda
