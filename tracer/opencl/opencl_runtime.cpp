#include "tracer/opencl/opencl_runtime.h"

#include "base/error.h"
#include "tracer/opencl/devices/opencl_build_log.h"
#include "tracer/opencl/devices/opencl_devices.h"
#include "tracer/opencl/memory/opencl_images.h"
#include "tracer/opencl/memory/opencl_memory.h"
#include "tracer/opencl/opencl_local_fill.h"
#include "tracer/opencl/twin/opencl_twin.h"
#include "tracer/runtime/kernel_fault.h"
#include "tracer/runtime/kernel_signals.h"
#include "tracer/runtime/launch_limits.h"
#include "tracer/runtime/queued_runs.h"
#include "tracer/runtime/redirected.h"
#include "tracer/source/compile_error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <future>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include <unistd.h>

namespace twiddle {
namespace {

// Keeps what compilers print by themselves ("1 error generated.") off standard error while a program is built, but in a
// probe, where it may be why the process ends.
class QuietCompiler {
 public:
  QuietCompiler() {
    if (probed_runtime().empty()) quiet_.emplace(STDERR_FILENO, Redirected::nowhere);
  }

 private:
  std::optional<Redirected> quiet_;
};

// Launches that were left behind in this process, on any runtime.
std::atomic<int> launches_left = 0;

// How long a driver may take to run a kernel that does nothing, beside one that was left behind.
constexpr std::chrono::seconds max_trial(5);

// Whether a processor still runs kernels after one was left behind in this process: that may hold all of the driver's
// threads, or its locks, and then a caller of the driver waits for ever. So another thread tries. A kernel is only begun
// when what was enqueued before it has been handed out to the driver's threads: the thread that ran it is a free one.
bool still_runs(const cl::Device& device, const DeviceInfo& info) {
  std::promise<bool> answer;
  std::future<bool> answered = answer.get_future();
  std::thread([device, tell = std::move(answer)]() mutable {
    bool ran = false;
    try {
      const cl::Context context(device);
      const cl::CommandQueue queue(context, device);
      // Told to build at once, the binding asks for OpenCL 2.0, which PoCL 6 does not take.
      cl::Program program(context, "kernel void nothing(global int* x) { x[0] = 1; }");
      build_program(program, device, "");
      cl::Kernel kernel(program, "nothing");
      const cl::Buffer memory(context, CL_MEM_READ_WRITE, sizeof(cl_int));
      kernel.setArg(0, memory);
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
      queue.finish();
      ran = true;
    } catch (const cl::Error&) {}
    tell.set_value(ran);
  }).detach();
  const auto end = std::chrono::steady_clock::now() + max_trial;
  while (CpuLaunch::threads_held() < info.compute_units && std::chrono::steady_clock::now() < end)
    if (answered.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready) return answered.get();
  return false;
}

// Throws Error (no_device) where nothing that this process enqueues would ever run.
void need_free_thread(const cl::Device& device, const DeviceInfo& info) {
  if (info.kind != "cpu" || !launch_left_running() || still_runs(device, info)) return;
  throw no_device(
      "every thread on which {} runs kernels is held by one that was stopped; start twiddle again, or take another "
      "device",
      info.name);
}

class OpenClRuntime final : public Runtime, public QueuedRuns {
 public:
  explicit OpenClRuntime(const OpenClDevice& found) : info_(found.info), device_(found.device) { start(); }

  const DeviceInfo& device() const override { return info_; }
  std::string_view source_extension() const override { return ".cl"; }

  BufferHandle allocate(std::size_t bytes) override {
    if (bytes > info_.max_buffer)
      throw no_device("{} allows buffers of at most {}, and this run needs one of {}; take a smaller size", info_.name,
                      readable_bytes(info_.max_buffer), readable_bytes(bytes));
    start_again();
    const std::size_t handle = free_.empty() ? buffers_.size() : free_.back();
    guarded(fmt::format("allocate {}", readable_bytes(bytes)), [&] {
      OpenClMemory memory = OpenClMemory::allocate(context_, queue_, info_, bytes);
      if (handle == buffers_.size()) {
        buffers_.push_back(std::move(memory));
      } else {
        free_.pop_back();
        buffers_[handle] = std::move(memory);
      }
    });
    return handle;
  }

  void release(BufferHandle buffer) override {
    buffers_.at(buffer) = {};
    if (buffer >= first_buffer_ && !abandoned_) free_.push_back(buffer);
  }

  void upload(BufferHandle buffer, std::size_t offset, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    const cl::Buffer& memory = usable(buffer, offset, bytes.size());
    guarded("copy to the device",
            [&] { queue_.enqueueWriteBuffer(memory, CL_TRUE, offset, bytes.size(), bytes.data()); });
  }

  void download(BufferHandle buffer, std::size_t offset, std::span<std::byte> bytes) override {
    if (bytes.empty()) return;
    const cl::Buffer& memory = checked(buffer, offset, bytes.size());
    if (left_behind(buffer)) {
      const auto content = buffers_[buffer].content();
      if (content.empty()) throw was_stopped();
      std::memcpy(bytes.data(), content.data() + offset, bytes.size());
      return;
    }
    guarded("copy from the device",
            [&] { queue_.enqueueReadBuffer(memory, CL_TRUE, offset, bytes.size(), bytes.data()); });
  }

  void fill_zero(BufferHandle buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return;
    const cl::Buffer& memory = usable(buffer, offset, bytes);
    guarded("clear memory", [&] {
      if (offset % sizeof(cl_uint4) == 0 && bytes % sizeof(cl_uint4) == 0)
        queue_.enqueueFillBuffer(memory, cl_uint4{}, offset, bytes);
      else
        queue_.enqueueFillBuffer(memory, cl_uchar{0}, offset, bytes);
      queue_.finish();
    });
  }

  void copy(BufferHandle from, BufferHandle to, std::size_t bytes) override {
    if (bytes == 0) return;
    const cl::Buffer &source = usable(from, 0, bytes), &target = usable(to, 0, bytes);
    guarded("copy memory", [&] {
      queue_.enqueueCopyBuffer(source, target, 0, 0, bytes);
      queue_.finish();
    });
  }

  ProgramHandle build(const ProgramSource& source) override {
    start_again();
    cl::Program program;
    try {
      const QuietCompiler quiet;
      program = cl::Program(context_, compiler_text(source));
      build_watched(program, fmt::format("{}", fmt::join(options_of(source, true), " ")), source.name);
    } catch (const cl::BuildError& error) { throw refused(source, error); } catch (const cl::Error& error) {
      throw failed("compile " + source.name, error);
    }
    Program built{std::move(program), source, {}, {}, {}};
    guarded("list the kernels of " + source.name, [&] {
      std::istringstream names(tidy_opencl_text(built.program.getInfo<CL_PROGRAM_KERNEL_NAMES>()));
      for (std::string name; std::getline(names, name, ';');) built.names.push_back(name);
    });
    built.prints = source.text.find("printf") != std::string::npos;
    built.twin = std::make_shared<std::optional<BuiltTwin>>();
    programs_.push_back(std::move(built));
    return programs_.size() - 1;
  }

  std::size_t parameter_count(ProgramHandle program, const std::string& kernel) override {
    return find(program, kernel).parameters;
  }

  double run(const KernelCall& call) override {
    Kernel& kernel = find(call.program, call.kernel);
    check(call, kernel);
    const std::vector<cl::Buffer> held = set_arguments(call, kernel.kernel);
    fill_local_memory(call, kernel);
    return launch(call, kernel.kernel, STDERR_FILENO);
  }

  double run_queued(std::span<const KernelCall> calls) override {
    double nanoseconds = 0;
    guarded("run kernels", [&] {
      cl::Event first, last;
      std::vector<std::vector<cl::Buffer>> held;
      for (std::size_t c = 0; c < calls.size(); ++c) {
        Kernel& kernel = find(calls[c].program, calls[c].kernel);
        check(calls[c], kernel);
        held.push_back(set_arguments(calls[c], kernel.kernel));
        queue_.enqueueNDRangeKernel(kernel.kernel, cl::NullRange, nd_range(calls[c], calls[c].global),
                                    nd_range(calls[c], calls[c].local), nullptr, c == 0 ? &first : &last);
      }
      if (calls.size() == 1) last = first;
      queue_.finish();
      nanoseconds = static_cast<double>(last.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                        first.getProfilingInfo<CL_PROFILING_COMMAND_START>());
    });
    return nanoseconds;
  }

  Message no_accesses(ProgramHandle program) const override { return twin_of(program).why_not; }

  bool runs_on_other_data(ProgramHandle program, const std::string& kernel) override {
    const std::vector<TwinKernel>& kernels = twin_of(program).twin.kernels;
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const TwinKernel& one) { return one.name == kernel && !one.led; });
  }

  std::vector<KernelParameter> kernel_parameters(ProgramHandle program, const std::string& kernel) override {
    std::vector<KernelParameter> parameters;
    for (const TwinKernel& one : twin_of(program).twin.kernels)
      if (one.name == kernel)
        for (const TwinParameter& parameter : one.parameters)
          parameters.push_back({parameter.name, parameter.read_only});
    return parameters;
  }

  std::vector<AccessRange> variables(ProgramHandle program, const std::string& kernel) override {
    std::vector<AccessRange> ranges;
    for (const TwinVariable& variable : twin_of(program).twin.variables)
      if (variable.function.empty() || variable.function == kernel || variable.space == Space::Private)
        ranges.push_back(range_of(variable));
    return ranges;
  }

  RawAccesses run_logged(const KernelCall& call, const AccessRequest& request) override {
    const Kernel& plain = find(call.program, call.kernel);
    check(call, plain);
    BuiltTwin& twin = twin_of(call.program);
    if (!twin.why_not.empty()) throw Error(ExitCode::usage, twin.why_not);
    RawAccesses raw;
    guarded("log the accesses of kernel " + call.kernel, [&] {
      BuiltTwin::Kernel& kernel = twin_kernel(twin, device_, call);
      check_twin(call, kernel);
      const std::vector<cl::Buffer> held = set_arguments(call, kernel.kernel);
      const auto run_twin = [&](const cl::Buffer& log, bool counting) {
        kernel.kernel.setArg(static_cast<cl_uint>(call.arguments.size()), log);
        images_->copy_in();  // buffers are as they were before the first pass
        return launch(call, kernel.kernel, counting ? Redirected::nowhere : STDERR_FILENO);
      };
      const std::vector<ArgumentMemory> memory = argument_memory(call);
      if (!logged_) logged_ = std::make_shared<LoggedLaunch>(context_, queue_, info_);
      // What it prints is to be printed once.
      raw = logged_->run(twin.twin, kernel, call, request, memory, written_by(call, *kernel.description), run_twin,
                         !programs_.at(call.program).prints);
    });
    return raw;
  }

  std::vector<Overrun> overruns() const override { return overruns_; }

 private:
  struct Kernel {
    cl::Kernel kernel;
    std::size_t parameters = 0, max_group = 0;
    std::uint64_t static_local = 0;
  };
  struct Program {
    cl::Program program;
    ProgramSource source;
    std::vector<std::string> names;
    std::map<std::string, Kernel> kernels;
    std::shared_ptr<std::optional<BuiltTwin>> twin;
    bool prints = false;
  };

  // A launch that this process executes.
  struct OnCpu {
    explicit OnCpu(CpuLaunch::Work work = CpuLaunch::Work::Kernel) : launch(work) {}
    KernelSignals signals{&CpuLaunch::handled};
    CpuLaunch launch;
  };

  struct LeftBehind {
    cl::Context context;
    cl::CommandQueue queue;
    std::vector<OpenClMemory> buffers;
    std::vector<Program> programs;
    cl::Event done;
    std::unique_ptr<KernelSignals> signals;
    std::shared_ptr<OpenClImages> images;
    std::shared_ptr<LoggedLaunch> logged;
  };

  // Before a traced launch that uses local memory; a launch that is only timed finds what there is.
  void fill_local_memory(const KernelCall& call, const Kernel& kernel) {
    const std::vector<std::string>& defines = programs_.at(call.program).source.defines;
    if (std::find(defines.begin(), defines.end(), "TWIDDLE_TRACE=1") == defines.end()) return;
    std::size_t bytes = kernel.static_local;
    for (const KernelArgument& argument : call.arguments)
      if (const auto* local = std::get_if<KernelArgument::Local>(&argument.value)) bytes += local->bytes;
    if (bytes == 0) return;
    if (!local_fill_) local_fill_ = std::make_shared<LocalFill>(context_, queue_, device_);
    guarded("fill local memory", [&] { local_fill_->fill(bytes); });
  }

  // Runs a kernel whose arguments are set. What it prints goes to `prints_to`.
  static cl::NDRange nd_range(const KernelCall& call, const std::array<std::size_t, 3>& size) {
    return call.dimensions == 1   ? cl::NDRange(size[0])
           : call.dimensions == 2 ? cl::NDRange(size[0], size[1])
                                  : cl::NDRange(size[0], size[1], size[2]);
  }

  double launch(const KernelCall& call, const cl::Kernel& kernel, int prints_to) {
    std::optional<Redirected> output;
    if (programs_.at(call.program).prints) output.emplace(STDOUT_FILENO, prints_to);
    overruns_.clear();
    std::optional<OnCpu> on_cpu;
    if (info_.kind == "cpu") on_cpu.emplace();
    double nanoseconds = 0;
    try {
      cl::Event done;
      const auto launch_and_wait = [&] {
        queue_.enqueueNDRangeKernel(kernel, cl::NullRange, nd_range(call, call.global), nd_range(call, call.local),
                                    nullptr, &done);
        return wait_for(done, on_cpu ? &on_cpu->launch : nullptr);
      };
      Ended ended = Ended::Stopped;
      if (on_cpu)
        on_cpu->launch.wait([&] { ended = launch_and_wait(); });
      else
        ended = launch_and_wait();
      if (ended != Ended::Itself) {
        const int signal = on_cpu ? on_cpu->launch.stopped_by() : 0;
        leave_behind(done, on_cpu);
        if (ended == Ended::Overdue) throw Overdue(true);
        if (signal == SIGABRT) throw aborted("run kernel " + call.kernel);
        throw stopped(call, signal);
      }
      const cl_ulong start = done.getProfilingInfo<CL_PROFILING_COMMAND_START>();
      const cl_ulong end = done.getProfilingInfo<CL_PROFILING_COMMAND_END>();
      nanoseconds = static_cast<double>(end - start);
    } catch (const cl::Error& error) {
      if (error.err() != CL_OUT_OF_RESOURCES) throw failed("run kernel " + call.kernel, error);
      // NVIDIA's driver says so of a kernel that left its buffers, too.
      throw no_device(
          "{} stopped in kernel {} for want of resources: it touched memory outside its buffers, or the device has "
          "not enough memory or registers for it; take a smaller size or --group-size",
          info_.name, call.kernel);
    }
    guarded("take an image's content", [&] { images_->copy_back(); });
    note_overruns(call, on_cpu ? on_cpu->launch.strays() : std::vector<StrayAccess>());
    return nanoseconds;
  }

  // A driver for the processor compiles in this process, where an assertion of its own would end it.
  void build_watched(cl::Program& program, const std::string& options, const std::string& name) {
    if (info_.kind != "cpu") {
      build_program(program, device_, options);
      return;
    }
    std::optional<OnCpu> on_cpu(CpuLaunch::Work::Compiler);
    on_cpu->launch.wait([&] { build_program(program, device_, options); });
    if (on_cpu->launch.stopped_by() == 0) return;
    new cl::Program(program);  // never released: the driver may hold its lock
    leave_behind({}, on_cpu);
    throw aborted("compile " + name);
  }

  // What a kernel that goes on running uses must stay, and so must its queue: releasing that would wait for the kernel.
  void leave_behind(const cl::Event& done, std::optional<OnCpu>& on_cpu) {
    new LeftBehind{context_,  queue_, buffers_,
                   programs_, done,   on_cpu ? std::make_unique<KernelSignals>(&CpuLaunch::handled) : nullptr,
                   images_,   logged_};
    if (on_cpu) on_cpu->launch.leave_running();
    note_launch_left_running();
    ++launches_left;
    abandoned_ = true;
  }

  enum class Ended { Itself, Overdue, Stopped };

  // Waits for a launch to end by itself, for the time limit, or for a fault that it cannot go on after.
  Ended wait_for(const cl::Event& done, const CpuLaunch* on_cpu) const {
    using namespace std::chrono_literals;
    if (time_limit() <= 0 && !on_cpu) {
      done.wait();
      return Ended::Itself;
    }
    queue_.flush();
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(time_limit());
    // Short at first, so that small launches cost no more than they take.
    for (std::chrono::nanoseconds pause = 20us;; pause = std::min<std::chrono::nanoseconds>(2 * pause, 5ms)) {
      const cl_int status = done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
      if (status == CL_COMPLETE || status < 0) {
        done.wait();  // throws what went wrong
        return Ended::Itself;
      }
      if (on_cpu && on_cpu->stopped_by() != 0) return Ended::Stopped;
      if (time_limit() > 0 && std::chrono::steady_clock::now() >= end) return Ended::Overdue;
      std::this_thread::sleep_for(pause);
    }
  }

  Error aborted(const std::string& doing) const {
    return no_device(
        "{} could not {}: its driver gave up on an assertion of its own, or the kernel ended the program; try "
        "--runtime host, "
        "another device or another version of the driver",
        info_.name, doing);
  }

  KernelFault stopped(const KernelCall& call, int signal) const {
    const bool memory = signal == SIGSEGV || signal == SIGBUS;
    const Message why = memory ? Message("touches memory far outside its buffers, again and again or where none can be")
                        : signal == SIGFPE ? Message("divides where the result is no number that fits")
                                           : Message("meets an instruction that ends it");
    return {"",
            Message("kernel {} was stopped on {}: it {}; check its indices and its loops (--runtime host, with the "
                    "kernel in CUDA C++, names the work-item and the line)",
                    call.kernel, info_.name, why),
            memory ? KernelFault::Kind::OutOfBounds : KernelFault::Kind::Stopped};
  }

  // Notes what the kernel did outside its buffers.
  void note_overruns(const KernelCall& call, std::span<const StrayAccess> strays) {
    guarded("look at the memory next to a buffer", [&] {
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const auto* argument = std::get_if<KernelArgument::Memory>(&call.arguments[i].value);
        if (!argument) continue;
        const std::vector<Overrun> found = buffers_.at(argument->buffer).overruns(queue_, i, strays);
        overruns_.insert(overruns_.end(), found.begin(), found.end());
      }
    });
    const auto near_a_buffer = [&](const StrayAccess& stray) {
      return std::any_of(buffers_.begin(), buffers_.end(),
                         [&](const OpenClMemory& memory) { return memory.host && memory.host->near(stray.address); });
    };
    const auto lost = std::find_if_not(strays.begin(), strays.end(), near_a_buffer);
    if (lost != strays.end()) overruns_.push_back({Overrun::nowhere, 0, lost->kind});
  }

  Error failed(const std::string& doing, const cl::Error& error) const {
    constexpr cl_int nvidia_illegal_address = -9999;  // NVIDIA's own, in no header
    if (error.err() == nvidia_illegal_address)
      return no_device(
          "{} could not {}: it touched memory outside of its buffers; with the kernel in CUDA C++ beside it, --runtime "
          "host says which work-item and which element",
          info_.name, doing);
    if (opencl_out_of_memory(error.err()))
      return no_device("{} ran out of memory (could not {}: {}); take a smaller size or another device", info_.name,
                       doing, opencl_error_name(error.err()));
    return no_device("{} could not {}: {} ({})", info_.name, doing, opencl_error_name(error.err()), error.what());
  }

  template <typename Action>
  void guarded(const std::string& doing, const Action& action) const {
    try {
      action();
    } catch (const cl::Error& error) { throw failed(doing, error); }
  }

  Error refused(const ProgramSource& source, const cl::BuildError& error) const {
    std::string log;
    for (const auto& [device, text] : error.getBuildLog()) log += text + "\n";
    log = readable_build_log(log, source.name);
    if (!info_.fp64 && (log.find("double") != std::string::npos || log.find("fp64") != std::string::npos))
      return usage_error("{} computes in double precision, which {} does not have; take --type float or another device",
                         source.name, info_.name);
    if (log.empty()) log = opencl_error_name(error.err()).english();
    return does_not_compile(source.name, log);
  }

  void start() {
    seen_left_ = launches_left;
    guarded("open the device", [&] {
      context_ = cl::Context(device_);
      queue_ = cl::CommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE);
      item_sizes_ = device_.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    });
  }

  // Before anything new. After a launch was left behind, with a queue that does not wait for it; what there is of buffers and
  // programs stays with the old one.
  void start_again() {
    if (const int left = launches_left; left != seen_left_) {
      need_free_thread(device_, info_);
      seen_left_ = left;
    }
    if (!abandoned_) return;
    start();
    logged_ = nullptr;
    local_fill_ = nullptr;
    images_ = nullptr;
    free_.clear();
    first_buffer_ = buffers_.size();
    first_program_ = programs_.size();
    abandoned_ = false;
  }

  bool left_behind(BufferHandle buffer) const { return abandoned_ || buffer < first_buffer_; }
  Error was_stopped() const {
    return no_device("{} ran a kernel that was stopped: what that used cannot be used any more", info_.name);
  }

  const cl::Buffer& usable(BufferHandle buffer, std::size_t offset, std::size_t bytes) const {
    if (left_behind(buffer)) throw was_stopped();
    return checked(buffer, offset, bytes);
  }

  const cl::Buffer& checked(BufferHandle buffer, std::size_t offset, std::size_t bytes) const {
    const OpenClMemory& memory = buffers_.at(buffer);
    assert(offset <= memory.bytes && bytes <= memory.bytes - offset);
    return memory.buffer;
  }

  Kernel& find(ProgramHandle handle, const std::string& name) {
    if (abandoned_ || handle < first_program_) throw was_stopped();
    Program& program = programs_.at(handle);
    const auto known = program.kernels.find(name);
    if (known != program.kernels.end()) return known->second;
    if (std::find(program.names.begin(), program.names.end(), name) == program.names.end())
      throw no_kernel(name, program.source.name, program.names);
    Kernel kernel;
    guarded("make kernel " + name, [&] {
      kernel.kernel = cl::Kernel(program.program, name.c_str());
      kernel.parameters = kernel.kernel.getInfo<CL_KERNEL_NUM_ARGS>();
      kernel.max_group = kernel.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
      // NVIDIA's driver says 256 of every kernel, even of one compiled for groups of 1024, and runs what the device allows.
      if (info_.vendor.starts_with("NVIDIA")) kernel.max_group = info_.max_group_size;
      kernel.static_local = kernel.kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device_);
    });
    return program.kernels.emplace(name, std::move(kernel)).first->second;
  }

  // Says what the device could not do before the driver says it less clearly.
  void check(const KernelCall& call, const Kernel& kernel) const {
    if (call.cooperative)
      throw usage_error(
          "kernel {} needs a barrier across the whole grid, which OpenCL does not have; take --runtime cuda or host",
          call.kernel);
    check_count(call, kernel.parameters, call.arguments.size());
    LaunchLimits limits;
    limits.group.fill(info_.max_group_size);
    std::copy_n(item_sizes_.begin(), std::min(item_sizes_.size(), limits.group.size()), limits.group.begin());
    limits.groups.fill(std::numeric_limits<std::size_t>::max());
    limits.group_items = info_.max_group_size;
    limits.kernel_group_items = kernel.max_group;
    limits.local_bytes = info_.local_bytes;
    check_limits(call, limits, kernel.static_local, info_.name);
  }

  std::vector<cl::Buffer> set_arguments(const KernelCall& call, cl::Kernel& kernel) {
    std::vector<cl::Buffer> held;  // so that no buffer is released while the kernel runs
    images_ = std::make_shared<OpenClImages>(context_, queue_);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto& value = call.arguments[i].value;
      try {
        const auto at = static_cast<cl_uint>(i);
        if (const auto* memory = std::get_if<KernelArgument::Memory>(&value)) {
          held.push_back(usable(memory->buffer, 0, 0));
          kernel.setArg(at, held.back());
        } else if (const auto* scalar = std::get_if<KernelArgument::Scalar>(&value)) {
          kernel.setArg(at, scalar->bytes, scalar->bits.data());
        } else if (const auto* image = std::get_if<KernelArgument::Image>(&value)) {
          held.push_back(usable(image->buffer, 0, 0));
          kernel.setArg(at, images_->image(*image, held.back()));
        } else if (const auto* sampler = std::get_if<KernelArgument::Sampler>(&value)) {
          kernel.setArg(at, images_->sampler(sampler->sampler));
        } else {
          kernel.setArg(at, std::max<std::size_t>(std::get<KernelArgument::Local>(value).bytes, 1), nullptr);
        }
      } catch (const cl::Error& error) {
        if (opencl_out_of_memory(error.err())) throw failed("take an argument", error);
        throw usage_error("argument {} of kernel {} does not fit its parameter ({}); check the plan's args", i + 1,
                          call.kernel, opencl_error_name(error.err()));
      }
    }
    return held;
  }

  // The program that logs what this one does, built when it is first asked for.
  BuiltTwin& twin_of(ProgramHandle handle) const {
    if (abandoned_ || handle < first_program_) throw was_stopped();
    const Program& program = programs_.at(handle);
    if (!*program.twin) {
      const Redirected quiet(STDERR_FILENO, Redirected::nowhere);
      *program.twin = build_twin(context_, queue_, device_, info_, program.source);
    }
    return **program.twin;
  }

  void check_twin(const KernelCall& call, const BuiltTwin::Kernel& kernel) const {
    const std::size_t group = call.local[0] * call.local[1] * call.local[2];
    if (group > kernel.max_group && !info_.vendor.starts_with("NVIDIA"))
      throw usage_error(
          "kernel {} cannot log its accesses in work-groups of {}: {} allows {} for what logging needs; take a smaller "
          "--group-size",
          call.kernel, group, info_.name, kernel.max_group);
  }

  std::vector<ArgumentMemory> argument_memory(const KernelCall& call) const {
    std::vector<ArgumentMemory> all;
    for (const KernelArgument& argument : call.arguments) {
      ArgumentMemory memory;
      if (const auto* buffer = std::get_if<KernelArgument::Memory>(&argument.value))
        memory.bytes = buffers_.at(buffer->buffer).bytes;
      else if (const auto* local = std::get_if<KernelArgument::Local>(&argument.value))
        memory = {local->bytes, true};
      else if (const auto* image = std::get_if<KernelArgument::Image>(&argument.value))
        memory.image = image_memory(*image);
      else if (const auto* sampler = std::get_if<KernelArgument::Sampler>(&argument.value))
        memory.sampler = sampler_bits(sampler->sampler);
      all.push_back(memory);
    }
    return all;
  }

  std::vector<std::pair<cl::Buffer, std::size_t>> written_by(const KernelCall& call, const TwinKernel& kernel) const {
    std::vector<std::pair<cl::Buffer, std::size_t>> written;
    for (std::size_t i = 0; i < call.arguments.size() && i < kernel.parameters.size(); ++i)
      if (const auto* memory = std::get_if<KernelArgument::Memory>(&call.arguments[i].value);
          memory && !kernel.parameters[i].read_only)
        written.emplace_back(buffers_.at(memory->buffer).buffer, buffers_.at(memory->buffer).bytes);
      else if (const auto* image = std::get_if<KernelArgument::Image>(&call.arguments[i].value);
               image && !kernel.parameters[i].read_only)
        written.emplace_back(buffers_.at(image->buffer).buffer, buffers_.at(image->buffer).bytes);
    return written;
  }

  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::vector<std::size_t> item_sizes_;
  std::vector<Overrun> overruns_;  // of the latest run
  std::shared_ptr<OpenClImages> images_;
  int seen_left_ = 0;       // of launches_left, when the device was last known to run kernels
  bool abandoned_ = false;  // a launch was left running: what its buffers hold can still be read, no more
  // Those of this queue; what is before them was left behind with a launch.
  BufferHandle first_buffer_ = 0;
  ProgramHandle first_program_ = 0;
  std::vector<OpenClMemory> buffers_;
  std::vector<BufferHandle> free_;
  std::vector<Program> programs_;
  std::shared_ptr<LoggedLaunch> logged_;
  std::shared_ptr<LocalFill> local_fill_;
};

}  // namespace

void list_opencl_devices(DeviceList& list) {
  std::string why_not;
  const std::vector<OpenClDevice> found = find_opencl_devices(why_not);
  for (const OpenClDevice& one : found) list.devices.push_back(one.info);
  const std::vector<std::string> out = left_out("opencl");
  for (const std::string& sentence : out) list.missing.push_back("opencl: " + sentence);
  if (found.empty() && out.empty()) list.missing.push_back("opencl: " + why_not);
}

std::unique_ptr<Runtime> open_opencl_runtime(int device) {
  std::string why_not;
  const std::vector<OpenClDevice> found = find_opencl_devices(why_not);
  if (found.empty()) throw no_device("there is no OpenCL device: {}", why_not);
  if (device < 0 || static_cast<std::size_t>(device) >= found.size())
    throw no_device("there is no OpenCL device {}; they are numbered 0 to {} (see twiddle devices)", device,
                    found.size() - 1);
  const OpenClDevice& chosen = found[device];
  need_free_thread(chosen.device, chosen.info);
  return std::make_unique<OpenClRuntime>(chosen);
}

void probe_opencl_devices(const std::function<void(Runtime&)>& job) {
  std::string why_not;
  for (const OpenClDevice& one : find_opencl_devices(why_not)) {
    const std::string name = fmt::format("{} of {}", one.info.name, one.info.platform);
    if (!may_ask(one.part, name)) continue;
    try {
      OpenClRuntime runtime(one);
      job(runtime);
    } catch (const std::exception& error) { fail_probe(one.part, fmt::format("{} fails: {}", name, error.what())); }
  }
}

}  // namespace twiddle
