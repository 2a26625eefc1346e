// Shared virtual memory: what clSVMAlloc gave to the program, and which of it a launch may come to.
#pragma once

#include "record/opencl/memory.h"

#include <CL/cl_icd.h>

#include <span>

namespace twiddle::layer {

/// Whether the program has any.
bool any_shared_memory();

/// The allocation that an address is in, from there on, as a part of a memory object with the same storage. Nothing where there is
/// no allocation. Throws cl::Error.
std::optional<BufferPart> shared_part(const void* pointer);

/// The allocations that something in these bytes points into, at any offset, each once and whole. Throws cl::Error.
std::vector<BufferPart> shared_parts_in(std::span<const std::byte> bytes);

/// The entry points that give and take it.
void intercept_shared_memory(cl_icd_dispatch& table);

}  // namespace twiddle::layer
