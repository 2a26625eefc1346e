#include "tracer/runtime/launch_limits.h"

#include <fmt/ranges.h>

namespace twiddle {

std::string readable_bytes(std::uint64_t bytes) {
  if (bytes < (std::uint64_t(1) << 20)) return fmt::format("{} bytes", bytes);
  if (bytes < (std::uint64_t(1) << 30)) return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

std::size_t dynamic_local_bytes(const KernelCall& call) {
  std::size_t bytes = 0;
  for (const KernelArgument& argument : call.arguments)
    if (const auto* local = std::get_if<KernelArgument::Local>(&argument.value)) bytes += local->bytes;
  return bytes;
}

void check_count(const KernelCall& call, std::size_t takes, std::size_t given) {
  if (takes != given) throw usage_error("kernel {} takes {} arguments and was given {}", call.kernel, takes, given);
}

Error no_kernel(const std::string& kernel, const std::string& source, const std::vector<std::string>& known) {
  return usage_error("{} has no kernel called {}; it has {}", source, kernel,
                     known.empty() ? std::string("none") : fmt::format("{}", fmt::join(known, ", ")));
}

void check_limits(const KernelCall& call, const LaunchLimits& limits, std::uint64_t local_bytes,
                  std::string_view device_name) {
  std::size_t group = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (call.local[d] == 0 || call.global[d] == 0 || call.global[d] % call.local[d] != 0)
      throw usage_error("kernel {}: {} work-items are not whole groups of {} (dimension {})", call.kernel,
                        call.global[d], call.local[d], d);
    if (call.local[d] > limits.group[d])
      throw usage_error(
          "kernel {}: a work-group of {} in dimension {} is over the {} that {} allows; take a smaller --group-size",
          call.kernel, call.local[d], d, limits.group[d], device_name);
    if (call.global[d] / call.local[d] > limits.groups[d])
      throw usage_error(
          "kernel {}: {} work-groups in dimension {} are over the {} that {} allows; take a larger --group-size",
          call.kernel, call.global[d] / call.local[d], d, limits.groups[d], device_name);
    group *= call.local[d];
  }
  if (group > limits.group_items)
    throw usage_error("kernel {}: a work-group of {} is over the {} that {} allows; take a smaller --group-size",
                      call.kernel, group, limits.group_items, device_name);
  if (group > limits.kernel_group_items)
    throw usage_error(
        "kernel {}: a work-group of {} is over the {} that {} allows for what this kernel needs; take a smaller "
        "--group-size",
        call.kernel, group, limits.kernel_group_items, device_name);
  const std::uint64_t local = local_bytes + dynamic_local_bytes(call);
  if (local > limits.local_bytes)
    throw usage_error(
        "kernel {} needs {} bytes of local memory a work-group, and {} has {}; take a smaller size or --group-size",
        call.kernel, local, device_name, limits.local_bytes);
}

}  // namespace twiddle
