// A Runtime executes kernels on a device: `opencl`, `cuda` or `host`. It knows memory, programs and launches, nothing of
// traces: the tracer hands it the log as one more buffer.
#pragma once

#include "kernels/plan/plan.h"
#include "tracer/access/access.h"
#include "tracer/runtime/host_schedule.h"
#include "tracer/runtime/stray_access.h"
#include "tracer/source/program_source.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace twiddle {

struct DeviceInfo {
  std::string runtime;  // "opencl" | "cuda" | "host"
  int index = 0;        // what --device takes
  std::string name, vendor, platform, version, driver;
  std::string kind;  // "cpu" | "gpu" | "accelerator"
  std::uint64_t global_bytes = 0, local_bytes = 0, max_buffer = 0;
  std::size_t max_group_size = 0;
  std::size_t sub_group_size = 0;  // warp; 0: unknown
  int compute_units = 0;
  bool fp64 = false;
  bool cooperative = false;
};

using BufferHandle = std::size_t;
using ProgramHandle = std::size_t;

/// Room for any scalar, vector or struct that a kernel takes by value.
using ArgumentBits = std::array<std::byte, max_argument_bytes>;

struct KernelArgument {
  struct Memory {
    BufferHandle buffer;
    std::optional<Boxes> boxes{};   // not its address, but what the copy engine wants to know of it
    std::size_t element_bytes = 0;  // with boxes
  };
  /// A number, a vector or a struct.
  struct Scalar {
    struct Pointer {
      std::size_t at;  // bytes from the start, where a buffer's address goes
      BufferHandle buffer;
    };
    ArgumentBits bits;
    std::size_t bytes;
    std::vector<Pointer> pointers{};
  };
  struct Local {
    std::size_t bytes;
  };
  /// A buffer whose elements are texels: what it holds is the image's content before the launch and afterwards.
  struct Image {
    BufferHandle buffer;
    twiddle::Image image;
    ElementType texel;
  };
  struct Sampler {
    SamplerArgument sampler;
  };
  std::variant<Memory, Scalar, Local, Image, Sampler> value;
};

struct KernelCall {
  ProgramHandle program = 0;
  std::string kernel;
  int dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::vector<KernelArgument> arguments;
  bool cooperative = false;
};

/// A buffer that a launch hands over: itself, or by a pointer in a struct.
struct HandedOver {
  std::size_t argument = 0;  // index into KernelCall::arguments
  int pointer = -1;          // of a struct: which of its pointers
  BufferHandle buffer = 0;
};
template <typename Each>
void for_each_buffer(const KernelCall& call, const Each& each) {
  for (std::size_t a = 0; a < call.arguments.size(); ++a) {
    if (const auto* memory = std::get_if<KernelArgument::Memory>(&call.arguments[a].value))
      each(HandedOver{a, -1, memory->buffer});
    if (const auto* scalar = std::get_if<KernelArgument::Scalar>(&call.arguments[a].value))
      for (std::size_t p = 0; p < scalar->pointers.size(); ++p)
        each(HandedOver{a, static_cast<int>(p), scalar->pointers[p].buffer});
  }
}

/// Which accesses of a launch are wanted.
struct AccessRequest {
  std::uint64_t first_item = 0, items = ~std::uint64_t(0);
  std::size_t max_bytes = std::size_t(512) << 20;  // of device memory for the log; what has no room is counted as lost
};

/// Sizes are bytes, times nanoseconds of the device's own clock. Every function throws Error: no_device when the device
/// fails or runs out of memory, usage when a kernel does not compile or does not fit.
class Runtime {
 public:
  virtual ~Runtime() = default;
  /// How long a launch may take before run() gives it up: 0, as it is at first, as long as it likes. Where the runtime can
  /// tell, a work-item may compute for item_seconds between two barriers; 10 at first.
  void limit_time(double seconds, double item_seconds) { time_limit_ = seconds, item_limit_ = item_seconds; }
  double time_limit() const { return time_limit_; }
  double item_limit() const { return item_limit_; }
  virtual const DeviceInfo& device() const = 0;
  virtual std::string_view source_extension() const = 0;  // ".cl" or ".cu"
  /// In a copy of the process (fork), which has none of its threads: once, before anything else is asked of the runtime.
  virtual void enter_copy() {}
  virtual BufferHandle allocate(std::size_t bytes) = 0;
  virtual void release(BufferHandle buffer) = 0;
  virtual void upload(BufferHandle buffer, std::size_t offset, std::span<const std::byte> bytes) = 0;
  virtual void download(BufferHandle buffer, std::size_t offset, std::span<std::byte> bytes) = 0;
  virtual void fill_zero(BufferHandle buffer, std::size_t offset, std::size_t bytes) = 0;
  /// The first `bytes` of one buffer to another; through the host where a runtime has nothing better.
  virtual void copy(BufferHandle from, BufferHandle to, std::size_t bytes);
  virtual ProgramHandle build(const ProgramSource& source) = 0;
  /// The number of parameters the kernel takes. Throws usage when the program has no such kernel (naming those it has).
  virtual std::size_t parameter_count(ProgramHandle program, const std::string& kernel) = 0;
  /// What the variables at file scope hold that a program's kernels may write, and putting it back: with the buffers all that
  /// outlives a launch. Empty where a runtime cannot tell.
  virtual std::vector<std::byte> program_state(ProgramHandle) { return {}; }
  virtual void set_program_state(ProgramHandle, std::span<const std::byte> /*state*/) {}
  /// Runs the kernel and waits for it; returns how long the device took, in nanoseconds. Throws Overdue after the time limit,
  /// where the runtime can leave a launch alone, and KernelFault where the kernel was stopped.
  virtual double run(const KernelCall& call) = 0;
  /// The kernel's parameters as the compiler saw them, for sources that do not show them plainly (kernels that macros make).
  /// Empty: not known.
  struct KernelParameter {
    std::string name;
    bool read_only = false;
  };
  virtual std::vector<KernelParameter> kernel_parameters(ProgramHandle, const std::string& /*kernel*/) { return {}; }
  /// Why this runtime cannot log the accesses of a program's kernels, one sentence; empty: it can. `build` has been called.
  virtual Message no_accesses(ProgramHandle) const { return Message("{} cannot log accesses", device().runtime); }
  /// The local and private arrays and the constants that a kernel may use, as ranges without addresses. The same names, spaces and
  /// functions are in run_logged's ranges.
  virtual std::vector<AccessRange> variables(ProgramHandle, const std::string& /*kernel*/) { return {}; }
  /// Whether a kernel can be run on other numbers than its launch's: floating values do not lead its way, or one that goes astray
  /// does no harm to what runs after it.
  virtual bool runs_on_other_data(ProgramHandle, const std::string& /*kernel*/) { return false; }
  /// Runs the kernel as run() does, and logs every access of these items. The kernel leaves the same bits in its buffers as run()
  /// would. Where the log had no room, its counts say what was needed: the caller restores the buffers and asks for fewer
  /// items. Throws as run() does; Error (usage) where no_accesses() says why.
  virtual RawAccesses run_logged(const KernelCall& call, const AccessRequest& request);

  /// What the latest run touched outside the buffers it was given, as far as this runtime can tell: writes nearby are found
  /// by guard zones around them, which are whole again afterwards; on a processor, so is each access that
  /// meets no memory.
  struct Overrun {
    static constexpr std::size_t nowhere = ~std::size_t(0);
    std::size_t argument;  // index into KernelCall::arguments; nowhere: near none of them
    std::int64_t byte;     // the nearest that is known of, counted from the buffer's start; negative: before it
    StrayAccess::Kind kind = StrayAccess::Kind::Write;
    int pointer = -1;  // of an argument that is a struct: which of its pointers
  };
  virtual std::vector<Overrun> overruns() const { return {}; }

 private:
  double time_limit_ = 0, item_limit_ = 10;
};

/// A launch did not end within the time limit. Left running, it goes on, is not waited for, and its runtime is of no use any
/// more.
class Overdue : public std::runtime_error {
 public:
  explicit Overdue(bool left_running);
};

/// Whether a launch was left running in this process: then drivers would wait for it at the end, and only std::_Exit ends.
bool launch_left_running();
void note_launch_left_running();

/// Of a process that is there to try one kernel: it ends, at once and with a failure, where a launch can neither go on nor be
/// left. Otherwise what the driver held at that moment, its locks among it, stays held.
void end_with_stopped_launch();
bool ends_with_stopped_launch();

/// Devices of one runtime or of all; reasons for those that are not there ("cuda: libcuda.so.1 was not found").
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::vector<std::string> missing;
};

}  // namespace twiddle
