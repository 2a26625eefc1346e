// Local memory before a traced launch: the same in every run.
#pragma once

#include <CL/opencl.hpp>

#include <cstddef>
#include <optional>

namespace twiddle {

/// Leaves uninitialised_pattern in the device's local memory, where the groups of the next launch will find it: what a kernel
/// reads there without having written it is then the same in every run, and not what an earlier kernel left. Groups of that
/// launch that follow one another still find what the earlier ones wrote. Functions throw cl::Error.
class LocalFill {
 public:
  LocalFill(const cl::Context& context, const cl::CommandQueue& queue, const cl::Device& device)
      : context_(context), queue_(queue), device_(device) {}
  /// Of a kernel that uses `bytes` of local memory; it is enqueued and not waited for.
  void fill(std::size_t bytes);

 private:
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Device device_;
  std::optional<cl::Kernel> kernel_;
  cl::Buffer sink_;
  std::size_t most_ = ~std::size_t(0);  // that the driver was found to give
};

}  // namespace twiddle
