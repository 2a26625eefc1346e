#include "tracer/direct/direct_runtime.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/values/clock.h"
#include "tracer/direct/direct_group.h"
#include "tracer/host/host_memory.h"
#include "tracer/runtime/guard_zones.h"
#include "tracer/runtime/launch_limits.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace twiddle {
namespace {

void fill_unwritten(std::span<std::byte> memory) {
  const std::uint32_t pattern = uninitialised_pattern;
  for (std::size_t at = 0; at < memory.size(); at += sizeof pattern)
    std::memcpy(memory.data() + at, &pattern, std::min(sizeof pattern, memory.size() - at));
}

class DirectRuntime final : public Runtime {
 public:
  explicit DirectRuntime(DeviceInfo device) : info_(std::move(device)), group_(compiler_.state()) {}

  const DeviceInfo& device() const override { return info_; }
  std::string_view source_extension() const override { return ".cl"; }

  BufferHandle allocate(std::size_t bytes) override {
    Buffer buffer{HostMemory(bytes + 2 * guard_bytes(bytes)), bytes};
    fill_guards(guarded(buffer));
    const auto free = std::find_if(buffers_.begin(), buffers_.end(), [](const Buffer& one) { return !one.used; });
    const auto handle = static_cast<BufferHandle>(free - buffers_.begin());
    if (free == buffers_.end())
      buffers_.push_back(std::move(buffer));
    else
      *free = std::move(buffer);
    return handle;
  }
  void release(BufferHandle buffer) override {
    buffers_.at(buffer) = Buffer{HostMemory(), 0};
    buffers_[buffer].used = false;
  }
  void upload(BufferHandle buffer, std::size_t offset, std::span<const std::byte> bytes) override {
    if (!bytes.empty()) std::memcpy(at(buffer, offset), bytes.data(), bytes.size());
  }
  void download(BufferHandle buffer, std::size_t offset, std::span<std::byte> bytes) override {
    if (!bytes.empty()) std::memcpy(bytes.data(), at(buffer, offset), bytes.size());
  }
  void fill_zero(BufferHandle buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes) std::memset(at(buffer, offset), 0, bytes);
  }

  ProgramHandle build(const ProgramSource& source) override {
    programs_.push_back({compiler_.compile(source, folder_.path()), source.name});
    return programs_.size() - 1;
  }
  std::size_t parameter_count(ProgramHandle program, const std::string& kernel) override {
    return find(program, kernel).parameter_bytes.size();
  }
  std::vector<KernelParameter> kernel_parameters(ProgramHandle program, const std::string& kernel) override {
    std::vector<KernelParameter> parameters;
    for (const std::string& name : find(program, kernel).parameters) parameters.push_back({name, false});
    return parameters;
  }

  double run(const KernelCall& call) override {
    const DirectModule::Kernel& kernel = find(call.program, call.kernel);
    LaunchLimits limits;
    limits.group.fill(info_.max_group_size);
    limits.groups.fill(~std::uint32_t(0));
    limits.group_items = limits.kernel_group_items = info_.max_group_size;
    limits.local_bytes = info_.local_bytes;
    std::size_t local_bytes = 0;
    for (const std::span<std::byte> local : programs_[call.program].module.locals()) local_bytes += local.size();
    check_limits(call, limits, local_bytes, info_.name);
    check_count(call, kernel.parameter_bytes.size(), call.arguments.size());

    Values values;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) values.add(value_of(call, kernel, i, values));
    const auto start = Clock::now();
    run_groups(call, kernel, values);
    const double time = nanoseconds_since(start);
    overruns_.clear();
    for_each_buffer(call, [&](const HandedOver& one) {
      for (const std::int64_t byte : changed_guards(guarded(buffers_.at(one.buffer))))
        overruns_.push_back({one.argument, byte, StrayAccess::Kind::Write, one.pointer});
    });
    return time;
  }
  std::vector<Overrun> overruns() const override { return overruns_; }

 private:
  struct Buffer {
    HostMemory memory;  // with a zone before and behind what was asked for
    std::size_t bytes = 0;
    bool used = true;
  };
  struct Program {
    DirectModule module;
    std::string name;
  };
  // Arguments, and the local memory that comes with them.
  struct Values {
    std::vector<std::unique_ptr<ArgumentBits>> bits;
    std::vector<HostMemory> local;
    void add(const ArgumentBits& value) { bits.push_back(std::make_unique<ArgumentBits>(value)); }
  };

  std::byte* at(BufferHandle handle, std::size_t offset) const {
    const Buffer& buffer = buffers_.at(handle);
    return buffer.memory.at(guard_bytes(buffer.bytes), buffer.bytes) + offset;
  }
  static GuardedMemory guarded(const Buffer& buffer) {
    std::byte* all = buffer.memory.at(0, buffer.memory.bytes());
    return {buffer.bytes,
            [all](std::size_t offset, std::span<std::byte> to) { std::memcpy(to.data(), all + offset, to.size()); },
            [all](std::size_t offset, std::span<const std::byte> from) {
              std::memcpy(all + offset, from.data(), from.size());
            }};
  }

  const DirectModule::Kernel& find(ProgramHandle program, const std::string& name) const {
    const Program& one = programs_.at(program);
    std::vector<std::string> names;
    for (const DirectModule::Kernel& kernel : one.module.kernels()) {
      if (kernel.name == name) return kernel;
      names.push_back(kernel.name);
    }
    throw no_kernel(name, one.name, names);
  }

  ArgumentBits value_of(const KernelCall& call, const DirectModule::Kernel& kernel, std::size_t i,
                        Values& values) const {
    const auto& value = call.arguments[i].value;
    const auto fits = [&](std::size_t bytes) {
      if (kernel.parameter_bytes[i] != bytes)
        throw usage_error("argument {} of kernel {} does not fit its parameter", i + 1, call.kernel);
    };
    ArgumentBits bits{};
    const auto put_address = [&](const std::byte* address, std::size_t to) {
      std::memcpy(bits.data() + to, &address, sizeof address);
    };
    if (const auto* memory = std::get_if<KernelArgument::Memory>(&value)) {
      fits(sizeof(void*));
      put_address(at(memory->buffer, 0), 0);
    } else if (const auto* scalar = std::get_if<KernelArgument::Scalar>(&value)) {
      fits(scalar->bytes);
      bits = scalar->bits;
      for (const auto& pointer : scalar->pointers) put_address(at(pointer.buffer, 0), pointer.at);
    } else if (const auto* local = std::get_if<KernelArgument::Local>(&value)) {
      fits(sizeof(void*));
      values.local.emplace_back(local->bytes);
      put_address(values.local.back().at(0, local->bytes), 0);
    } else {
      throw no_device("images need a driver");
    }
    return bits;
  }

  void run_groups(const KernelCall& call, const DirectModule::Kernel& kernel, const Values& values) {
    std::vector<void*> arguments;
    for (const auto& bits : values.bits) arguments.push_back(bits->data());
    twiddle_direct_state& state = compiler_.state();
    state.dimensions = static_cast<unsigned>(call.dimensions);
    for (std::size_t d = 0; d < 3; ++d) {
      state.global_size[d] = call.global[d];
      state.local_size[d] = call.local[d];
      state.groups[d] = call.global[d] / call.local[d];
    }
    for (std::size_t z = 0; z < state.groups[2]; ++z)
      for (std::size_t y = 0; y < state.groups[1]; ++y)
        for (std::size_t x = 0; x < state.groups[0]; ++x) {
          for (const std::span<std::byte> local : programs_[call.program].module.locals()) fill_unwritten(local);
          for (const HostMemory& local : values.local) fill_unwritten({local.at(0, local.bytes()), local.bytes()});
          state.group_id[0] = x, state.group_id[1] = y, state.group_id[2] = z;
          group_.run(kernel.entry, arguments.data());
        }
  }

  const DeviceInfo info_;
  const DirectCompiler compiler_;
  const TemporaryFolder folder_;
  DirectGroup group_;
  std::vector<Buffer> buffers_;
  std::vector<Program> programs_;
  std::vector<Overrun> overruns_;
};

}  // namespace

std::unique_ptr<Runtime> open_direct_runtime(const DeviceInfo& device) {
  return std::make_unique<DirectRuntime>(device);
}

}  // namespace twiddle
