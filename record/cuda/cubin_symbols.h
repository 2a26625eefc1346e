// Names in a cubin, as far as the recorder needs them while the program runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace twiddle_cuda {

/// Functions of a module that are no kernels and have sections of their own: at most 4096. Those within a kernel's section
/// are at known distances from it.
std::vector<std::string> device_functions(const char* cubin, std::size_t bytes);

}  // namespace twiddle_cuda
