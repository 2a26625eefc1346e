// OpenCL kernels compiled by Clang for this processor and called directly, without a driver: built in a twentieth of the time that
// a driver for the processor takes, for programs that are run a few times.
#pragma once

#include "tracer/direct/device/items.h"
#include "tracer/source/program_source.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// A compiled program in memory. Never unloaded: what makes these makes few, in a process of its own.
class DirectModule {
 public:
  /// `arguments`: for each parameter the address of its value, as long as parameter_bytes() says; of a pointer its own 8.
  using Entry = void (*)(void* const* arguments);
  struct Kernel {
    std::string name;
    Entry entry = nullptr;
    std::span<const unsigned long> parameter_bytes{};
    std::vector<std::string> parameters{};  // their names
  };

  /// Throws Error (no_device) where the file calls what direct/device does not have (images, half numbers, sub-groups).
  DirectModule(const std::filesystem::path& library, const std::vector<std::string>& kernels);

  const std::vector<Kernel>& kernels() const { return kernels_; }
  /// The arrays that kernels declare in local memory, one for all groups: these run one after another.
  const std::vector<std::span<std::byte>>& locals() const { return locals_; }

 private:
  std::vector<Kernel> kernels_;
  std::vector<std::span<std::byte>> locals_;
};

class DirectCompiler {
 public:
  /// Finds Clang 13 or newer; OpenCL's functions are compiled where the cache has none yet. Throws Error (no_device) without it.
  DirectCompiler();

  /// What the kernels see of the launch.
  twiddle_direct_state& state() const { return *state_; }

  /// Compiles a source into `folder`, or takes what is there of the same source. Throws Error: usage with the compiler's messages
  /// where it does not compile, no_device where it cannot be called so (kernels that only a driver can run).
  DirectModule compile(const ProgramSource& source, const std::filesystem::path& folder) const;

 private:
  void load_functions(const std::filesystem::path& library);

  std::string clang_;
  std::filesystem::path functions_;  // the library
  twiddle_direct_state* state_ = nullptr;
};

}  // namespace twiddle
