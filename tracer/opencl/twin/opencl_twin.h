// Twins on a device: programs that log what theirs do, built, and launched until the log is whole.
#pragma once

#include "tracer/opencl/twin/opencl_access_log.h"
#include "tracer/opencl/twin/opencl_rewriter.h"

#include <CL/opencl.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

struct BuiltTwin {
  Twin twin;
  cl::Program program;
  Message why_not;  // empty: it is there

  struct Kernel {
    cl::Kernel kernel;
    const TwinKernel* description = nullptr;
    std::size_t max_group = 0;
    // How many records the items of a launch of this shape made the last time: global and local size, first item, items.
    std::map<std::array<std::uint64_t, 8>, std::vector<std::uint32_t>> counts;
  };
  std::map<std::string, Kernel> kernels;
};

/// How a program of others' is built.
struct TwinBuild {
  std::vector<std::string> options;                          // words of the options
  std::vector<std::pair<std::string, std::string>> headers;  // name and text
};

/// Rewrites a program and builds its twin; where that fails, why_not says why. Compilers may print what they like meanwhile.
BuiltTwin build_twin(const cl::Context& context, const cl::CommandQueue& queue, const cl::Device& device,
                     const DeviceInfo& info, const ProgramSource& source, const TwinBuild& build = {});

/// The twin's kernel. Throws Error (usage) when there is none, or it does not allow groups of this size.
BuiltTwin::Kernel& twin_kernel(BuiltTwin& twin, const cl::Device& device, const KernelCall& call);

/// Runs a kernel of a twin and reads its log. `launch` runs it with the arguments of the call set, and the log behind them, and
/// returns its time in nanoseconds; counting, it does so for the counts alone. `written` are the buffers that the kernel may
/// write, with their sizes; they are restored between passes.
class LoggedLaunch {
 public:
  LoggedLaunch(const cl::Context& context, const cl::CommandQueue& queue, const DeviceInfo& info)
      : context_(context), queue_(queue), info_(info) {}

  using Launch = std::function<double(const cl::Buffer& log, bool counting)>;
  /// `once`: a small launch is not counted first but given room that is likely to be enough, so that a kernel that a processor
  /// stops leaves what it did until then; the KernelFault that `launch` throws brings it. What it prints may be there twice.
  RawAccesses run(const Twin& twin, BuiltTwin::Kernel& kernel, const KernelCall& call, const AccessRequest& request,
                  std::span<const ArgumentMemory> arguments,
                  const std::vector<std::pair<cl::Buffer, std::size_t>>& written, const Launch& launch, bool once);

  /// The same for a log that is read later: `take` gets the words, whose layout says what there was room for, and how many
  /// records each item wanted to write. Returns the launch's time in nanoseconds.
  using Take = std::function<void(const AccessLogLayout& layout, std::span<const std::uint64_t> log,
                                  std::span<const std::uint32_t> counts)>;
  double log(const Twin& twin, BuiltTwin::Kernel& kernel, const KernelCall& call, const AccessRequest& request,
             const std::vector<std::pair<cl::Buffer, std::size_t>>& written, const Launch& launch, const Take& take,
             bool once = false);

 private:
  std::vector<std::uint64_t> words_when_stopped(const AccessLogLayout& layout) const;
  std::vector<std::uint32_t> pass(AccessLogLayout& layout, bool counting, const Launch& launch, double& nanoseconds);
  void make_log(std::uint64_t words);

  cl::Context context_;
  cl::CommandQueue queue_;
  DeviceInfo info_;
  std::shared_ptr<std::byte> pages_;  // of a processor: the log's memory
  cl::Buffer log_;                    // kept: fresh pages cost more than records
  std::uint64_t log_words_ = 0;
};

}  // namespace twiddle
