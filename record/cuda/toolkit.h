// The user's CUDA Toolkit: its Sanitizer library, and the patches that its nvcc makes of patch.cu.
#pragma once

#include <string>

namespace twiddle_cuda {

struct Toolkit {
  std::string nvcc, sanitizer;  // paths; empty: not found
};

/// Looks in CUDA_HOME, CUDA_PATH, where nvcc is on the path, and the usual places; the first that has both, else the first
/// that has either.
Toolkit find_toolkit();

/// The path of the fatbin of patches for this toolkit, which is built when the user's cache has none (some seconds). Empty when
/// that fails: `reason` says why.
std::string device_patches(const Toolkit& toolkit, std::string& reason);

}  // namespace twiddle_cuda
