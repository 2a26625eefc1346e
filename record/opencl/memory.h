// Memory objects: which is which over time, and what is in them.
#pragma once

#include <CL/opencl.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle::layer {

/// A buffer as an argument: a memory object of its own, or a part of one. So is shared virtual memory.
struct BufferPart {
  cl_mem whole = nullptr;
  std::uint64_t offset = 0, bytes = 0, whole_bytes = 0;
  std::uint64_t address = 0;  // of the whole, for the host and for kernels, of shared virtual memory; else 0
  bool fine_grained = false;  // of shared virtual memory: the host may access it while kernels run
};

/// Nothing for what is no buffer.
std::optional<BufferPart> buffer_part(cl_mem memory);

/// A number of the object's own for as long as it lives; another object at the same address has another.
std::uint64_t identity(cl_mem whole);

/// All that is in it. The program may have forbidden the host to read it, so it is copied first. Throws cl::Error.
std::vector<std::byte> content(const cl::Context& context, const cl::CommandQueue& queue, const BufferPart& buffer);

/// Whether this content is another than the last one that was noted for the object, which it now is.
bool changed(std::uint64_t identity, const std::vector<std::byte>& content);
/// What was noted did not reach the recording.
void forget_content(std::uint64_t identity);

}  // namespace twiddle::layer
