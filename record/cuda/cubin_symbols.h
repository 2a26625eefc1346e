// Names in a cubin, and what its kernels take, as far as the recorder needs them while the program runs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace twiddle_cuda {

/// Functions of a module that are no kernels and have sections of their own: at most 4096. Those within a kernel's section
/// are at known distances from it.
std::vector<std::string> device_functions(const char* cubin, std::size_t bytes);

/// A parameter of a kernel: where it is among what the kernel is handed, and its size, bytes.
struct Parameter {
  std::size_t offset = 0, bytes = 0;
};

/// The parameters of each kernel of a module, by its mangled name, in their order. Kernels of which the file does not tell every
/// parameter are left out.
std::map<std::string, std::vector<Parameter>> kernel_parameters(const char* cubin, std::size_t bytes);

}  // namespace twiddle_cuda
