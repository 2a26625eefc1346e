#include "tracer/host/host_runtime.h"

#include "base/error.h"
#include "base/values/clock.h"
#include "tracer/cost/sub_group.h"
#include "tracer/host/host_fault.h"
#include "tracer/host/host_memory.h"
#include "tracer/runtime/launch_limits.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>
#include <utility>

namespace twiddle {
namespace {

// As much local memory as today's largest GPUs give a group (compute capability 9.0: 227 KiB), so that what runs there runs
// here, too.
constexpr std::uint64_t local_bytes = std::uint64_t(227) * 1024;

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "this machine's processor";
}

DeviceInfo describe(const HostCompiler& compiler) {
  DeviceInfo info;
  info.runtime = "host";
  info.name = processor_name();
  info.vendor = "Twiddle";
  info.platform = "Twiddle host executor";
  info.version = compiler.version;
  info.driver = fmt::format("{}", fmt::join(compiler.command, " "));
  info.kind = "cpu";
  info.global_bytes = physical_memory();
  info.local_bytes = local_bytes;
  info.max_buffer = info.global_bytes;
  info.max_group_size = 1024;
  static_assert(twiddle_host::warp_size == sub_group_size, "what runs in lockstep is judged so");
  info.sub_group_size = twiddle_host::warp_size;
  info.compute_units = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  info.fp64 = true;
  info.cooperative = true;
  return info;
}

class HostRuntime final : public Runtime {
 public:
  HostRuntime(const HostOptions& options, bool repeating)
      : compiler_(find_host_compiler()),
        info_(describe(compiler_)),
        options_(options),
        executor_(std::make_unique<HostExecutor>(options)),
        repeating_(repeating) {}

  const DeviceInfo& device() const override { return info_; }
  std::string_view source_extension() const override { return ".cu"; }
  void enter_copy() override {
    // The threads that it waits for are those of the process that this is a copy of.
    static_cast<void>(executor_.release());
    options_.threads = 1;
    executor_ = std::make_unique<HostExecutor>(options_);
  }

  BufferHandle allocate(std::size_t bytes) override {
    if (bytes > info_.max_buffer - std::min(allocated_, info_.max_buffer))
      throw no_device("this machine has {} of memory, and this run needs {} more than that; take a smaller size",
                      readable_bytes(info_.global_bytes), readable_bytes(bytes + allocated_ - info_.max_buffer));
    HostMemory memory(bytes);
    allocated_ += bytes;
    if (free_.empty()) {
      buffers_.push_back(std::move(memory));
      return buffers_.size() - 1;
    }
    const BufferHandle handle = free_.back();
    free_.pop_back();
    buffers_[handle] = std::move(memory);
    return handle;
  }

  void release(BufferHandle buffer) override {
    allocated_ -= buffers_.at(buffer).bytes();
    const HostMemory gone = std::move(buffers_[buffer]);
    free_.push_back(buffer);
  }

  void upload(BufferHandle buffer, std::size_t offset, std::span<const std::byte> bytes) override {
    if (!bytes.empty()) std::memcpy(buffers_.at(buffer).at(offset, bytes.size()), bytes.data(), bytes.size());
  }

  void download(BufferHandle buffer, std::size_t offset, std::span<std::byte> bytes) override {
    if (!bytes.empty()) std::memcpy(bytes.data(), buffers_.at(buffer).at(offset, bytes.size()), bytes.size());
  }

  void fill_zero(BufferHandle buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes) std::memset(buffers_.at(buffer).at(offset, bytes), 0, bytes);
  }

  void copy(BufferHandle from, BufferHandle to, std::size_t bytes) override {
    if (bytes) std::memmove(buffers_.at(to).at(0, bytes), buffers_.at(from).at(0, bytes), bytes);
  }

  ProgramHandle build(const ProgramSource& source) override {
    if (repeating_)
      for (const Built& one : built_)
        if (one.source == source) {
          programs_[one.program]->set_state(one.first_state);
          return one.program;
        }
    programs_.push_back(compile_for_host(compiler_, source));
    const ProgramHandle program = programs_.size() - 1;
    if (repeating_) built_.push_back({source, program, programs_[program]->state()});
    return program;
  }

  std::size_t parameter_count(ProgramHandle program, const std::string& kernel) override {
    return find(program, kernel).parameter_count;
  }

  std::vector<std::byte> program_state(ProgramHandle program) override { return programs_.at(program)->state(); }
  void set_program_state(ProgramHandle program, std::span<const std::byte> state) override {
    programs_.at(program)->set_state(state);
  }

  double run(const KernelCall& call) override { return run(call, nullptr); }

  Message no_accesses(ProgramHandle) const override { return {}; }
  bool runs_on_other_data(ProgramHandle, const std::string&) override { return true; }

  std::vector<AccessRange> variables(ProgramHandle program, const std::string& kernel) override {
    const HostModule& module = *programs_.at(program);
    std::vector<AccessRange> ranges = file_variables(module);
    for (const twiddle_host::SharedVariable* variable : module.shared_variables(find(program, kernel))) {
      AccessRange range;
      range.space = Space::Local;
      range.bytes = variable->dynamic ? 0 : variable->bytes;
      range.name = variable->name;
      if (variable->kernel) range.function = variable->kernel;
      range.type = element_type_of(variable->elements);
      range.element_bytes = variable->element_bytes;
      ranges.push_back(std::move(range));
    }
    for (AccessRange& range : private_arrays(module, find(program, kernel))) ranges.push_back(std::move(range));
    return ranges;
  }

  RawAccesses run_logged(const KernelCall& call, const AccessRequest& request) override {
    HostAccessLog log(request);
    add_ranges(call, log);
    const HostModule& module = *programs_.at(call.program);
    const auto items = [&] {
      std::uint64_t count = 1;
      for (const std::size_t size : call.global) count *= size;
      return count;
    };
    try {
      const double nanoseconds = run(call, &log);
      RawAccesses accesses = accesses_of(log, module, items());
      accesses.device_ns = nanoseconds;
      return accesses;
    } catch (KernelFault& fault) {
      fault.accesses = std::make_shared<RawAccesses>(accesses_of(log, module, items()));
      throw;
    }
  }

 private:
  static RawAccesses accesses_of(HostAccessLog& log, const HostModule& module, std::uint64_t items) {
    RawAccesses accesses = log.take(module, items);
    if (module.arrays_unseen())
      accesses.unlogged.push_back(
          {0, 0, 1,
           Message("arrays that work-items have to themselves are not followed: the compiler does not let them")});
    else if (module.structures_unseen())
      accesses.unlogged.push_back(
          {0, 0, 1, Message("arrays within structures that work-items have to themselves are not followed")});
    return accesses;
  }

  double run(const KernelCall& call, HostAccessLog* log) {
    const HostModule& module = *programs_.at(call.program);
    const twiddle_host::Kernel& kernel = find(call.program, call.kernel);
    LaunchLimits limits;
    limits.local_bytes = local_bytes;
    check_limits(call, limits, module.shared_bytes(kernel), "the host executor");

    HostLaunch launch;
    launch.log = log;
    launch.module = &module;
    launch.kernel = &kernel;
    launch.dynamic_shared_bytes = dynamic_local_bytes(call);
    for (std::size_t i = call.arguments.size(); i-- > 0;)
      if (std::holds_alternative<KernelArgument::Local>(call.arguments[i].value))
        launch.dynamic_shared_argument = static_cast<int>(i);
    launch.cooperative = call.cooperative;
    launch.number = ++launches_;
    for (std::size_t d = 0; d < 3; ++d) {
      launch.block[d] = static_cast<unsigned>(call.local[d]);
      launch.grid[d] = static_cast<unsigned>(call.global[d] / call.local[d]);
    }
    check_size(launch);
    std::vector<ArgumentBits> values = set_arguments(call, kernel, launch);

    const auto start = Clock::now();
    const std::optional<HostFault> fault = executor_->run(launch, {time_limit(), item_limit()});
    const double time = nanoseconds_since(start);
    if (fault) throw describe_fault(*fault, launch);
    return time;
  }

  // Memory that a kernel's accesses may be in, shared variables apart, which have their places when they run.
  void add_ranges(const KernelCall& call, HostAccessLog& log) const {
    for_each_buffer(call, [&](const HandedOver& one) {
      const HostMemory& buffer = buffers_.at(one.buffer);
      AccessRange range;
      range.address = reinterpret_cast<std::uint64_t>(buffer.at(0, 0));
      range.bytes = buffer.bytes();
      range.argument = static_cast<int>(one.argument);
      range.pointer = one.pointer;
      log.add_range(std::move(range));
    });
    const HostModule& module = *programs_.at(call.program);
    for (AccessRange& range : file_variables(module)) log.add_range(std::move(range));
    for (AccessRange& range : private_arrays(module, find(call.program, call.kernel))) log.add_range(std::move(range));
  }

  static std::vector<AccessRange> private_arrays(const HostModule& module, const twiddle_host::Kernel& kernel) {
    std::vector<AccessRange> ranges;
    for (const twiddle_host::PrivateArray* array : module.arrays(kernel)) {
      AccessRange range;
      range.space = Space::Private;
      range.address = made_up_address(*array);
      range.bytes = array->bytes;
      range.name = array->name;
      if (array->kernel) range.function = array->kernel;
      range.type = element_type_of(array->elements);
      range.element_bytes = array->element_bytes;
      ranges.push_back(std::move(range));
    }
    return ranges;
  }

  static std::vector<AccessRange> file_variables(const HostModule& module) {
    std::vector<AccessRange> ranges;
    for (const auto* variable = module.variables(); variable; variable = variable->next) {
      AccessRange range;
      range.space = variable->constant ? Space::Constant : Space::Global;
      range.address = variable->address;
      range.bytes = variable->bytes;
      range.name = variable->name;
      range.type = element_type_of(variable->elements);
      range.element_bytes = variable->element_bytes;
      range.initialised = true;  // with zeros, where the source gives nothing else
      ranges.push_back(std::move(range));
    }
    return ranges;
  }

  const twiddle_host::Kernel& find(ProgramHandle handle, const std::string& name) const {
    const HostModule& module = *programs_.at(handle);
    if (const twiddle_host::Kernel* kernel = module.kernel(name)) return *kernel;
    throw no_kernel(name, module.source(), module.kernels());
  }

  static void check_size(const HostLaunch& launch) {
    if (launch.groups() > std::uint64_t(0xffffffff) / launch.group_size())
      throw usage_error(
          "kernel {}: {} groups of {} are more work-items than the host executor numbers; take a smaller size",
          launch.kernel->name, launch.groups(), launch.group_size());
    const std::uint64_t items = launch.groups() * launch.group_size();
    if (launch.cooperative && items > max_cooperative_items)
      throw usage_error(
          "kernel {}: a cooperative launch of {} work-items is over the {} that the host executor holds at the same "
          "time; take a smaller size",
          launch.kernel->name, items, max_cooperative_items);
  }

  // The values that the launch's argument pointers name; they live as long as what is returned.
  std::vector<ArgumentBits> set_arguments(const KernelCall& call, const twiddle_host::Kernel& kernel,
                                          HostLaunch& launch) const {
    std::vector<ArgumentBits> values;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto& value = call.arguments[i].value;
      if (std::holds_alternative<KernelArgument::Local>(value)) continue;  // dynamic shared memory: no parameter
      const auto wrong = [&](const std::string& takes, const std::string& given) {
        return usage_error(
            "argument {} of kernel {} does not fit its parameter, which takes {} and was given {}; check the plan's "
            "args",
            i + 1, call.kernel, takes, given);
      };
      if (values.size() >= kernel.parameter_count) break;
      const twiddle_host::Parameter& parameter = kernel.parameters[values.size()];
      ArgumentBits bits{};
      if (const auto* memory = std::get_if<KernelArgument::Memory>(&value); memory && memory->boxes) {
        const HostMemory& buffer = buffers_.at(memory->buffer);
        const std::uint64_t row_bytes = memory->boxes->pitch * memory->element_bytes;
        const twiddle_host::Boxes boxes{buffer.at(0, 0), memory->boxes->pitch, buffer.bytes() / row_bytes,
                                        memory->boxes->columns, memory->boxes->rows};
        if (parameter.element_bytes || parameter.bytes != sizeof boxes)
          throw wrong(parameter.element_bytes ? "a buffer" : fmt::format("{} bytes", parameter.bytes), "boxes");
        std::memcpy(bits.data(), &boxes, sizeof boxes);
      } else if (memory) {
        const HostMemory& buffer = buffers_.at(memory->buffer);
        if (!parameter.element_bytes) throw wrong(fmt::format("{} bytes", parameter.bytes), "a buffer");
        const std::byte* address = buffer.at(0, 0);
        std::memcpy(bits.data(), &address, sizeof address);
        launch.memory.push_back({reinterpret_cast<twiddle_host::Address>(address), buffer.bytes()});
      } else {
        const auto& scalar = std::get<KernelArgument::Scalar>(value);
        const bool null_pointer = scalar.bytes == sizeof(void*) && scalar.bits == ArgumentBits{};
        if (parameter.element_bytes && !null_pointer) throw wrong("a buffer", fmt::format("{} bytes", scalar.bytes));
        if (!parameter.element_bytes && parameter.bytes != scalar.bytes)
          throw wrong(fmt::format("{} bytes", parameter.bytes), fmt::format("{} bytes", scalar.bytes));
        bits = scalar.bits;
        for (const KernelArgument::Scalar::Pointer& pointer : scalar.pointers) {
          const std::byte* address = buffers_.at(pointer.buffer).at(0, 0);
          std::memcpy(bits.data() + pointer.at, &address, sizeof address);
        }
      }
      values.push_back(bits);
    }
    const auto given = static_cast<std::size_t>(std::count_if(
        call.arguments.begin(), call.arguments.end(),
        [](const KernelArgument& argument) { return !std::holds_alternative<KernelArgument::Local>(argument.value); }));
    check_count(call, kernel.parameter_count, given);
    for_each_buffer(call, [&](const HandedOver& one) {
      if (one.pointer < 0) return;
      const HostMemory& buffer = buffers_.at(one.buffer);
      launch.memory.push_back({reinterpret_cast<twiddle_host::Address>(buffer.at(0, 0)), buffer.bytes()});
      launch.structs.push_back(static_cast<unsigned>(std::count_if(
          call.arguments.begin(), call.arguments.begin() + static_cast<std::ptrdiff_t>(one.argument),
          [](const KernelArgument& a) { return !std::holds_alternative<KernelArgument::Local>(a.value); })));
    });
    for (auto& bits : values) launch.arguments.push_back(bits.data());
    return values;
  }

  const HostCompiler compiler_;
  const DeviceInfo info_;
  HostOptions options_;
  std::unique_ptr<HostExecutor> executor_;
  std::vector<HostMemory> buffers_;
  std::vector<BufferHandle> free_;
  std::uint64_t allocated_ = 0;
  std::vector<std::unique_ptr<HostModule>> programs_;
  struct Built {
    ProgramSource source;
    ProgramHandle program;
    std::vector<std::byte> first_state;
  };
  const bool repeating_;
  std::vector<Built> built_;  // while repeating
  std::uint64_t launches_ = 0;
};

}  // namespace

void list_host_devices(DeviceList& list) {
  try {
    list.devices.push_back(describe(find_host_compiler()));
  } catch (const Error& error) { list.missing.push_back(std::string("host: ") + error.what()); }
}

std::unique_ptr<Runtime> open_host_runtime(const HostOptions& options) {
  return std::make_unique<HostRuntime>(options, false);
}

std::unique_ptr<Runtime> open_repeating_host_runtime(const HostOptions& options) {
  return std::make_unique<HostRuntime>(options, true);
}

}  // namespace twiddle
