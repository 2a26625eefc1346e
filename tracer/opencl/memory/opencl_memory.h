// A buffer on an OpenCL device between its guard zones; on a processor in a range of addresses of its own (cpu_memory.h).
#pragma once

#include "tracer/opencl/memory/cpu_memory.h"
#include "tracer/runtime/runtime.h"

#include <CL/opencl.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace twiddle {

struct OpenClMemory {
  std::shared_ptr<CpuMemory> host;  // of a processor, where it has the room: outlives what uses it
  cl::Buffer whole{};               // with the zones, when it is guarded
  cl::Buffer buffer{};              // as kernels see it
  std::size_t bytes = 0;
  bool guarded = false;

  /// Guarded where the device has room for the zones, which are filled. Throws cl::Error.
  static OpenClMemory allocate(const cl::Context& context, const cl::CommandQueue& queue, const DeviceInfo& device,
                               std::size_t bytes);

  /// Of a processor: the buffer's own bytes, for when the queue is of no use any more. Empty elsewhere.
  std::span<std::byte> content() const;

  /// What the kernel that ran last did outside of this buffer, the nearest on each side; the zones are whole again
  /// afterwards. `argument` is whose memory this is. Throws cl::Error.
  std::vector<Runtime::Overrun> overruns(const cl::CommandQueue& queue, std::size_t argument,
                                         std::span<const StrayAccess> strays) const;
};

}  // namespace twiddle
