// What a kernel is launched with, as the driver takes it.
#pragma once

#include "tracer/cuda/cuda_api.h"
#include "tracer/cuda/cuda_compiler.h"
#include "tracer/runtime/runtime.h"

#include <cstddef>
#include <string>
#include <vector>

namespace twiddle {

struct CudaBuffer {
  cuda::DevicePointer address = 0;  // of the buffer, between its guard zones
  std::size_t bytes = 0;
  cuda::DevicePointer whole = 0;  // of the first zone
};

/// What arguments depend on besides the call.
struct CudaArgumentDevice {
  const cuda::Driver& driver;
  const std::string& name;
  int major;                               // of the compute capability
  const std::vector<CudaBuffer>& buffers;  // by handle
};

/// Values in the order of the kernel's parameters; local memory is none of them in CUDA. Throws Error (usage) where they are not
/// what the kernel takes, (no_device) where the device cannot copy boxes.
std::vector<ArgumentBits> cuda_arguments(const KernelCall& call, const cuda::Entry& entry,
                                         const CudaArgumentDevice& device);

}  // namespace twiddle
