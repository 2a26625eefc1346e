#include "tracer/cuda/cuda_runtime.h"

#include "base/error.h"
#include "tracer/cuda/cuda_access_log.h"
#include "tracer/cuda/cuda_api.h"
#include "tracer/cuda/cuda_arguments.h"
#include "tracer/cuda/cuda_compiler.h"
#include "tracer/cuda/cuda_devices.h"
#include "tracer/cuda/logged_launch.h"
#include "tracer/runtime/device_probe.h"
#include "tracer/runtime/guard_zones.h"
#include "tracer/runtime/launch_limits.h"
#include "tracer/runtime/queued_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <map>
#include <thread>
#include <tuple>
#include <utility>

namespace twiddle {
namespace {

using cuda::DeviceAttribute;
using cuda::Driver;
using cuda::FunctionAttribute;

// What every kernel may have without asking for more.
constexpr std::size_t ordinary_shared_bytes = 48 * 1024;

class CudaRuntime final : public Runtime, public QueuedRuns {
 public:
  CudaRuntime(const Driver& driver, int index)
      : driver_(driver), info_(cuda::describe_device(driver, index)), nvrtc_(cuda::load_nvrtc(driver.version / 1000)) {
    driver_.device_get(&device_, index);
    major_ = cuda::attribute(driver_, DeviceAttribute::compute_capability_major, device_);
    minor_ = cuda::attribute(driver_, DeviceAttribute::compute_capability_minor, device_);
    limits_.group = cuda::attributes(driver_, DeviceAttribute::max_block_dim_x, device_);
    limits_.groups = cuda::attributes(driver_, DeviceAttribute::max_grid_dim_x, device_);
    limits_.group_items = info_.max_group_size;
    limits_.local_bytes = info_.local_bytes;
    check(driver_.context_retain(&context_, device_), "open the device");
    try {
      enter();
      check(driver_.event_create(&start_, 0), "make an event");
      check(driver_.event_create(&end_, 0), "make an event");
    } catch (...) {
      close();
      throw;
    }
  }
  ~CudaRuntime() override { close(); }
  CudaRuntime(const CudaRuntime&) = delete;
  CudaRuntime& operator=(const CudaRuntime&) = delete;

  const DeviceInfo& device() const override { return info_; }
  std::string_view source_extension() const override { return ".cu"; }

  BufferHandle allocate(std::size_t bytes) override {
    if (bytes > info_.max_buffer)
      throw no_device("{} has {} of memory, and this run needs a buffer of {}; take a smaller size", info_.name,
                      readable_bytes(info_.global_bytes), readable_bytes(bytes));
    enter();
    const std::size_t zone = guard_bytes(bytes);
    CudaBuffer memory{0, bytes, 0};
    check(driver_.memory_allocate(&memory.whole, bytes + 2 * zone), fmt::format("allocate {}", readable_bytes(bytes)));
    memory.address = memory.whole + zone;
    try {
      fill_guards(zones_of(memory));
    } catch (...) {
      driver_.memory_free(memory.whole);
      throw;
    }
    if (free_.empty()) {
      buffers_.push_back(memory);
      return buffers_.size() - 1;
    }
    const BufferHandle handle = free_.back();
    free_.pop_back();
    buffers_[handle] = memory;
    return handle;
  }

  void release(BufferHandle buffer) override {
    if (left_running_) return;
    enter();
    driver_.memory_free(buffers_.at(buffer).whole);
    buffers_[buffer] = {};
    free_.push_back(buffer);
  }

  void upload(BufferHandle buffer, std::size_t offset, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    enter();
    check(driver_.copy_to_device(at(buffer, offset, bytes.size()), bytes.data(), bytes.size()), "copy to the device");
  }

  void download(BufferHandle buffer, std::size_t offset, std::span<std::byte> bytes) override {
    if (bytes.empty()) return;
    enter();
    check(driver_.copy_to_host(bytes.data(), at(buffer, offset, bytes.size()), bytes.size()), "copy from the device");
  }

  void fill_zero(BufferHandle buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return;
    enter();
    check(driver_.memory_set(at(buffer, offset, bytes), 0, bytes), "clear memory");
    check(driver_.context_synchronize(), "clear memory");
  }

  void copy(BufferHandle from, BufferHandle to, std::size_t bytes) override {
    if (bytes == 0) return;
    enter();
    check(driver_.copy_on_device(at(to, 0, bytes), at(from, 0, bytes), bytes), "copy memory");
    check(driver_.context_synchronize(), "copy memory");
  }

  ProgramHandle build(const ProgramSource& source) override {
    cuda::Compiled compiled = cuda::compile(nvrtc_, source, major_, minor_);
    enter();
    Loaded program{
        nullptr, source.name, std::move(compiled.entries), {}, {source.name, source.text, std::move(compiled.ptx)}, {}};
    if (const cuda::Result failed = driver_.module_load(&program.module, compiled.image.c_str(), 0, nullptr, nullptr)) {
      if (failed == cuda::error_unsupported_ptx_version || failed == cuda::error_no_binary_for_gpu)
        throw no_device("NVIDIA's driver ({}) does not take what NVRTC {}.{} makes; install NVRTC {} or a newer driver",
                        info_.driver, nvrtc_.major, nvrtc_.minor, driver_.version / 1000);
      check(failed, "load " + source.name);
    }
    find_variables(program);
    programs_.push_back(std::move(program));
    return programs_.size() - 1;
  }

  std::size_t parameter_count(ProgramHandle program, const std::string& kernel) override {
    return find(program, kernel).entry->parameter_bytes.size();
  }

  double run(const KernelCall& call) override {
    enter();
    const Prepared prepared = prepare(call);
    overruns_.clear();
    const std::string doing = "run kernel " + call.kernel;
    check(driver_.event_record(start_, nullptr), doing);
    launch(call, prepared);
    check(driver_.event_record(end_, nullptr), doing);
    if (!wait_for_end(doing)) {
      left_running_ = true;
      throw Overdue(true);
    }
    float milliseconds = 0;
    check(driver_.event_elapsed(&milliseconds, start_, end_), doing);
    look_at_guards(call);
    return 1e6 * static_cast<double>(milliseconds);
  }

  double run_queued(std::span<const KernelCall> calls) override {
    enter();
    std::vector<Prepared> prepared;
    for (const KernelCall& call : calls) prepared.push_back(prepare(call));
    check(driver_.event_record(start_, nullptr), "run kernels");
    for (std::size_t c = 0; c < calls.size(); ++c) launch(calls[c], prepared[c], c > 0);
    check(driver_.event_record(end_, nullptr), "run kernels");
    check(driver_.event_synchronize(end_), "run kernels");
    float milliseconds = 0;
    check(driver_.event_elapsed(&milliseconds, start_, end_), "run kernels");
    return 1e6 * static_cast<double>(milliseconds);
  }

  std::vector<Overrun> overruns() const override { return overruns_; }

  std::vector<std::byte> program_state(ProgramHandle program) override {
    enter();
    std::vector<std::byte> state;
    for (const AccessRange& variable : programs_.at(program).variables) {
      state.resize(state.size() + variable.bytes);
      check(driver_.copy_to_host(state.data() + state.size() - variable.bytes, variable.address, variable.bytes),
            "keep " + variable.name);
    }
    return state;
  }

  void set_program_state(ProgramHandle program, std::span<const std::byte> state) override {
    enter();
    for (const AccessRange& variable : programs_.at(program).variables) {
      if (state.size() < variable.bytes) return;
      check(driver_.copy_to_device(variable.address, state.data(), variable.bytes), "restore " + variable.name);
      state = state.subspan(variable.bytes);
    }
  }

  Message no_accesses(ProgramHandle program) const override {
    if (Message why = cuda::why_no_access_log(); !why.empty()) return why;
    return cuda::unseen_order(programs_.at(program).text.ptx());
  }

  std::vector<AccessRange> variables(ProgramHandle program, const std::string& kernel) override {
    std::vector<AccessRange> ranges = programs_.at(program).variables;
    for (AccessRange& shared : programs_.at(program).text.shared_arrays(find(program, kernel).entry->symbol))
      ranges.push_back(std::move(shared));
    return ranges;
  }

  RawAccesses run_logged(const KernelCall& call, const AccessRequest& request) override {
    std::uint64_t items = 1;
    for (const std::size_t size : call.global) items *= size;
    const std::uint64_t first = std::min(request.first_item, items);
    const std::uint64_t count = std::min(request.items, items - first);
    cuda::log_next_launch(first, first + count);
    const double nanoseconds = run(call);
    check(driver_.context_synchronize(), "run kernel " + call.kernel);  // this is when the log is fetched
    // Guard zones are the buffers' own here, so that an access to them is seen.
    const std::vector<std::pair<AccessRange, AccessRange>> memory = memory_of(call);
    std::vector<AccessRange> whole;
    for (const auto& [all, own] : memory) whole.push_back(all);
    RawAccesses raw = cuda::take_logged_launch(first, count, whole);
    for (AccessRange& range : raw.ranges)
      for (const auto& [all, own] : memory)
        if (range.space != Space::Local && range.address == all.address) range = own;
    constexpr std::uint64_t of_the_system = 1024;  // of shared memory, from compute capability 8.0 on
    programs_.at(call.program)
        .text.name(raw, find(call.program, call.kernel).entry->symbol, dynamic_local_bytes(call),
                   major_ >= 8 ? of_the_system : 0);
    raw.device_ns = nanoseconds;
    return raw;
  }

 private:
  struct Kernel {
    cuda::Function function = nullptr;
    const cuda::Entry* entry = nullptr;
    std::size_t max_group = 0, shared_bytes = 0;
  };
  // A launch with all that the driver wants to know of it.
  struct Prepared {
    cuda::Function function = nullptr;
    std::array<unsigned, 3> grid{}, block{};
    unsigned shared = 0;
    std::vector<ArgumentBits> values;
    bool awaits = false;
  };
  struct Loaded {
    cuda::Module module = nullptr;
    std::string name;
    std::vector<cuda::Entry> entries;
    std::map<std::string, Kernel> kernels;
    cuda::LoggedProgram text;
    std::vector<AccessRange> variables;  // at file scope, with their addresses
  };

  void find_variables(Loaded& program) const {
    for (const cuda::Variable& variable : cuda::file_variables(program.text.ptx())) {
      if (!program.text.mentions(variable.name)) continue;
      if (variable.space == Space::Constant) continue;  // no log tells of what is read there
      AccessRange range;
      cuda::DevicePointer address = 0;
      std::size_t bytes = 0;
      if (driver_.module_global(&address, &bytes, program.module, variable.symbol.c_str()) != cuda::success) continue;
      range.space = variable.space;
      range.address = address;
      range.bytes = bytes;
      range.name = variable.name;
      range.type = variable.type;
      range.initialised = true;  // with zeros, where the source gives nothing else
      program.variables.push_back(std::move(range));
    }
  }

  // What a kernel's accesses may be in, by address: the whole of each allocation, and of it what the plan knows.
  std::vector<std::pair<AccessRange, AccessRange>> memory_of(const KernelCall& call) const {
    std::vector<std::pair<AccessRange, AccessRange>> memory;
    for_each_buffer(call, [&](const HandedOver& one) {
      const CudaBuffer& buffer = buffers_.at(one.buffer);
      AccessRange own;
      own.address = buffer.address;
      own.bytes = buffer.bytes;
      own.argument = static_cast<int>(one.argument);
      own.pointer = one.pointer;
      AccessRange whole = own;
      whole.address = buffer.whole;
      whole.bytes = buffer.bytes + 2 * (buffer.address - buffer.whole);
      memory.emplace_back(std::move(whole), std::move(own));
    });
    for (const AccessRange& variable : programs_.at(call.program).variables) memory.emplace_back(variable, variable);
    const auto at = [](const auto& one) { return one.first.address; };
    std::sort(memory.begin(), memory.end(), [&](const auto& a, const auto& b) { return at(a) < at(b); });
    // A buffer that is given twice is one.
    memory.erase(
        std::unique(memory.begin(), memory.end(), [&](const auto& a, const auto& b) { return at(a) == at(b); }),
        memory.end());
    return memory;
  }

  Prepared prepare(const KernelCall& call) {
    const Kernel& kernel = find(call.program, call.kernel);
    LaunchLimits limits = limits_;
    limits.kernel_group_items = kernel.max_group;
    check_limits(call, limits, kernel.shared_bytes, info_.name);
    Prepared prepared;
    prepared.function = kernel.function;
    prepared.awaits = kernel.entry->awaits;
    prepared.values = cuda_arguments(call, *kernel.entry, {driver_, info_.name, major_, buffers_});
    const std::size_t dynamic = dynamic_local_bytes(call);
    if (kernel.shared_bytes + dynamic > ordinary_shared_bytes)
      check(driver_.function_set_attribute(kernel.function, FunctionAttribute::max_dynamic_shared_size_bytes,
                                           static_cast<int>(dynamic)),
            fmt::format("give {} bytes of shared memory to kernel {}", dynamic, call.kernel));
    prepared.shared = static_cast<unsigned>(dynamic);
    for (std::size_t d = 0; d < 3; ++d) {
      prepared.block[d] = static_cast<unsigned>(call.local[d]);
      prepared.grid[d] = static_cast<unsigned>(call.global[d] / call.local[d]);
    }
    if (call.cooperative) check_cooperative(call, kernel, dynamic);
    return prepared;
  }

  void launch(const KernelCall& call, const Prepared& how, bool follows = false) const {
    std::vector<void*> addresses;
    for (const ArgumentBits& bits : how.values) addresses.push_back(const_cast<std::byte*>(bits.data()));
    const auto& [grid, block] = std::tie(how.grid, how.block);
    if (follows && how.awaits && !call.cooperative && driver_.launch_extended) {
      cuda::LaunchAttribute early;
      const cuda::LaunchConfiguration all{
          {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, how.shared, nullptr, &early, 1};
      check(driver_.launch_extended(&all, how.function, addresses.data(), nullptr), "run kernel " + call.kernel);
      return;
    }
    check(call.cooperative ? driver_.launch_cooperative(how.function, grid[0], grid[1], grid[2], block[0], block[1],
                                                        block[2], how.shared, nullptr, addresses.data())
                           : driver_.launch(how.function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                            how.shared, nullptr, addresses.data(), nullptr),
          "run kernel " + call.kernel);
  }

  // Threads have a current context each.
  void enter() const { check(driver_.context_set_current(context_), "use the device"); }

  // Waits for a launch to end; false when the time limit came first.
  bool wait_for_end(const std::string& doing) const {
    using namespace std::chrono_literals;
    if (time_limit() > 0) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(time_limit());
      // Short at first, so that small launches cost no more than they take.
      for (std::chrono::nanoseconds pause = 20us; driver_.event_query(end_) == cuda::error_not_ready;
           pause = std::min<std::chrono::nanoseconds>(2 * pause, 5ms)) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(pause);
      }
    }
    check(driver_.event_synchronize(end_), doing);  // names what went wrong
    return true;
  }

  void close() {
    // What a running kernel uses must stay, and releasing it would wait for the kernel.
    if (!context_ || left_running_) return;
    driver_.context_set_current(context_);
    for (const Loaded& program : programs_) driver_.module_unload(program.module);
    for (const CudaBuffer& memory : buffers_)
      if (memory.whole) driver_.memory_free(memory.whole);
    if (start_) driver_.event_destroy(start_);
    if (end_) driver_.event_destroy(end_);
    driver_.context_release(device_);
  }

  void check(cuda::Result result, const std::string& doing) const { cuda::check(driver_, result, info_.name, doing); }

  cuda::DevicePointer at(BufferHandle buffer, std::size_t offset, std::size_t bytes) const {
    const CudaBuffer& memory = buffers_.at(buffer);
    assert(offset <= memory.bytes && bytes <= memory.bytes - offset);
    (void)bytes;
    return memory.address + offset;
  }

  GuardedMemory zones_of(const CudaBuffer& memory) const {
    return {memory.bytes,
            [this, whole = memory.whole](std::size_t offset, std::span<std::byte> bytes) {
              check(driver_.copy_to_host(bytes.data(), whole + offset, bytes.size()), "look next to a buffer");
            },
            [this, whole = memory.whole](std::size_t offset, std::span<const std::byte> bytes) {
              check(driver_.copy_to_device(whole + offset, bytes.data(), bytes.size()), "write next to a buffer");
            }};
  }

  // Notes what the kernel wrote next to its buffers.
  void look_at_guards(const KernelCall& call) {
    for_each_buffer(call, [&](const HandedOver& one) {
      for (const std::int64_t byte : changed_guards(zones_of(buffers_.at(one.buffer))))
        overruns_.push_back({one.argument, byte, StrayAccess::Kind::Write, one.pointer});
    });
  }

  const Kernel& find(ProgramHandle handle, const std::string& name) {
    Loaded& program = programs_.at(handle);
    const auto known = program.kernels.find(name);
    if (known != program.kernels.end()) return known->second;
    const auto entry = std::find_if(program.entries.begin(), program.entries.end(),
                                    [&](const cuda::Entry& one) { return one.name == name; });
    if (entry == program.entries.end()) {
      std::vector<std::string> names;
      for (const cuda::Entry& one : program.entries) names.push_back(one.name);
      throw no_kernel(name, program.name, names);
    }
    enter();
    Kernel kernel;
    kernel.entry = &*entry;
    check(driver_.module_function(&kernel.function, program.module, entry->symbol.c_str()), "find kernel " + name);
    const auto ask = [&](FunctionAttribute which) {
      int value = 0;
      check(driver_.function_attribute(&value, which, kernel.function), "ask about kernel " + name);
      return static_cast<std::size_t>(value);
    };
    kernel.max_group = ask(FunctionAttribute::max_threads_per_block);
    kernel.shared_bytes = ask(FunctionAttribute::shared_size_bytes);
    return program.kernels.emplace(name, kernel).first->second;
  }

  // All groups have to be on the device at the same time.
  void check_cooperative(const KernelCall& call, const Kernel& kernel, std::size_t dynamic) const {
    if (!info_.cooperative)
      throw usage_error("kernel {} needs a barrier across the whole grid, which {} does not have; take --runtime host",
                        call.kernel, info_.name);
    const std::size_t group = call.local[0] * call.local[1] * call.local[2];
    int each = 0;
    check(driver_.occupancy(&each, kernel.function, static_cast<int>(group), dynamic),
          "ask about kernel " + call.kernel);
    std::size_t groups = 1;
    for (std::size_t d = 0; d < 3; ++d) groups *= call.global[d] / call.local[d];
    const std::size_t most = static_cast<std::size_t>(each) * static_cast<std::size_t>(info_.compute_units);
    if (groups > most)
      throw usage_error(
          "kernel {}: a cooperative launch of {} groups is over the {} that {} holds at the same time; take a smaller "
          "size",
          call.kernel, groups, most, info_.name);
  }

  const Driver& driver_;
  const DeviceInfo info_;
  const cuda::Nvrtc nvrtc_;
  cuda::Device device_ = 0;
  int major_ = 0, minor_ = 0;
  LaunchLimits limits_;
  cuda::Context context_ = nullptr;
  cuda::Event start_ = nullptr, end_ = nullptr;
  bool left_running_ = false;      // a launch that took too long
  std::vector<Overrun> overruns_;  // of the latest run
  std::vector<CudaBuffer> buffers_;
  std::vector<BufferHandle> free_;
  std::vector<Loaded> programs_;
};

}  // namespace

std::unique_ptr<Runtime> open_cuda_runtime(int device) {
  const Driver& driver = cuda::probed_driver();
  const int count = cuda::count_devices(driver);
  if (device < 0 || device >= count)
    throw no_device("there is no CUDA device {}; they are numbered 0 to {} (see twiddle devices)", device, count - 1);
  cuda::need_probed(device);
  return std::make_unique<CudaRuntime>(driver, device);
}

void probe_cuda_devices(const std::function<void(Runtime&)>& job) {
  DeviceList list;
  list_cuda_devices(list);  // what is missing in an orderly way is found again by the parent
  for (const DeviceInfo& info : list.devices) {
    const DriverPart part{"cuda", 0, info.index};
    if (!may_ask(part, info.name)) continue;
    try {
      CudaRuntime runtime(cuda::driver(), info.index);
      job(runtime);
    } catch (const std::exception& error) { fail_probe(part, fmt::format("{} fails: {}", info.name, error.what())); }
  }
}

}  // namespace twiddle
