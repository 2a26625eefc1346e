// What a device allows a launch, said in a sentence before the driver says it less clearly.
#pragma once

#include "base/error.h"
#include "tracer/runtime/runtime.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct LaunchLimits {
  std::array<std::size_t, 3> group{1024, 1024, 64};             // work-items of a group, by dimension
  std::array<std::size_t, 3> groups{2147483647, 65535, 65535};  // groups, by dimension
  std::size_t group_items = 1024;                               // of a group in all
  std::size_t kernel_group_items = 1024;                        // the same for this kernel, which may need much
  std::uint64_t local_bytes = 0;                                // of a group
};

/// Throws Error (usage) when the call's sizes are not whole groups or over a limit. `local_bytes`: what the kernel takes by
/// itself; what the call's arguments add is counted here.
void check_limits(const KernelCall& call, const LaunchLimits& limits, std::uint64_t local_bytes,
                  std::string_view device_name);

/// Throws Error (usage) unless the kernel takes as many arguments as it was given.
void check_count(const KernelCall& call, std::size_t takes, std::size_t given);

/// A source has no kernel of that name, and these.
Error no_kernel(const std::string& kernel, const std::string& source, const std::vector<std::string>& known);

/// Dynamic local memory that the call brings: the sum of its Local arguments.
std::size_t dynamic_local_bytes(const KernelCall& call);

/// "512 bytes", "1.5 MiB".
std::string readable_bytes(std::uint64_t bytes);

}  // namespace twiddle
