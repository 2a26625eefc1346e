#include "tracer/opencl_runtime.h"

#include "base/error.h"
#include "tracer/guard_zones.h"
#include "tracer/opencl_build_log.h"

#include <fmt/ranges.h>
#include <CL/opencl.hpp>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace twiddle {
namespace {

// Numbers of extensions that not every CL/cl_ext.h has.
constexpr cl_device_info warp_size_nv = 0x4003;
constexpr cl_device_info wavefront_width_amd = 0x4043;
constexpr cl_device_info sub_group_sizes_intel = 0x4108;
constexpr cl_int no_platform_khr = -1001;

std::string error_name(cl_int code) {
  switch (code) {
    case CL_DEVICE_NOT_AVAILABLE: return "device not available";
    case CL_COMPILER_NOT_AVAILABLE: return "no compiler";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "out of device memory";
    case CL_OUT_OF_RESOURCES: return "out of resources";
    case CL_OUT_OF_HOST_MEMORY: return "out of host memory";
    case CL_BUILD_PROGRAM_FAILURE: return "the program does not build";
    case CL_INVALID_BUFFER_SIZE: return "buffer too large";
    case CL_INVALID_KERNEL_ARGS: return "wrong kernel arguments";
    case CL_INVALID_WORK_GROUP_SIZE: return "work-group size not allowed";
    case CL_INVALID_ARG_SIZE: return "argument of the wrong size";
    case CL_INVALID_ARG_VALUE: return "argument of the wrong kind";
    default: return fmt::format("OpenCL error {}", code);
  }
}

bool out_of_memory(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

std::string mebibytes(std::uint64_t bytes) {
  return bytes < (std::uint64_t(1) << 20) ? fmt::format("{} bytes", bytes)
                                          : fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

// OpenCL strings may end in spaces and zero bytes.
std::string tidy(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ' || text.back() == '\n')) text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::size_t sub_group_size(const cl::Device& device, const std::string& extensions) {
  const auto ask = [&](cl_device_info what) -> std::size_t {
    cl_uint value = 0;
    return clGetDeviceInfo(device(), what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : 0;
  };
  if (extensions.find("cl_nv_device_attribute_query") != std::string::npos) return ask(warp_size_nv);
  if (extensions.find("cl_amd_device_attribute_query") != std::string::npos) return ask(wavefront_width_amd);
  if (extensions.find("cl_intel_required_subgroup_size") != std::string::npos) {
    std::array<std::size_t, 16> sizes{};
    std::size_t bytes = 0;
    if (clGetDeviceInfo(device(), sub_group_sizes_intel, sizeof sizes, sizes.data(), &bytes) == CL_SUCCESS && bytes)
      return *std::max_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof sizes[0]));
  }
  return 0;
}

DeviceInfo describe(const cl::Device& device, const cl::Platform& platform) {
  DeviceInfo info;
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  info.runtime = "opencl";
  info.name = tidy(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = tidy(device.getInfo<CL_DEVICE_VENDOR>());
  info.platform = tidy(platform.getInfo<CL_PLATFORM_NAME>());
  info.version = tidy(device.getInfo<CL_DEVICE_VERSION>());
  info.driver = tidy(device.getInfo<CL_DRIVER_VERSION>());
  info.kind = type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "accelerator";
  info.global_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.local_bytes = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.largest_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.max_group_size = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  info.sub_group_size = sub_group_size(device, extensions);
  info.compute_units = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  info.fp64 = extensions.find("cl_khr_fp64") != std::string::npos;
  return info;
}

struct Found {
  cl::Platform platform;
  cl::Device device;
  DeviceInfo info;
};

// Every device with a compiler, GPUs first; `why_not` says what is amiss when there is none.
std::vector<Found> find_devices(std::string& why_not) {
  std::vector<Found> found;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    if (error.err() != no_platform_khr)
      why_not = fmt::format("the OpenCL loader fails with {}", error_name(error.err()));
  }
  for (const cl::Platform& platform : platforms) {
    try {
      std::vector<cl::Device> devices;
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
      for (const cl::Device& device : devices)
        if (device.getInfo<CL_DEVICE_AVAILABLE>() && device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>())
          found.push_back({platform, device, describe(device, platform)});
    } catch (const cl::Error& error) {
      if (error.err() != CL_DEVICE_NOT_FOUND)
        why_not = fmt::format("{} fails with {}", error.what(), error_name(error.err()));
    }
  }
  if (why_not.empty())
    why_not = platforms.empty() ? "no OpenCL platform is installed (Debian's pocl-opencl-icd runs on any CPU)"
                                : "the installed OpenCL platforms have no device";
  const auto rank = [](const Found& one) { return one.info.kind == "gpu" ? 0 : one.info.kind == "cpu" ? 2 : 1; };
  std::stable_sort(found.begin(), found.end(), [&](const Found& a, const Found& b) { return rank(a) < rank(b); });
  for (std::size_t i = 0; i < found.size(); ++i) found[i].info.index = static_cast<int>(i);
  return found;
}

// Keeps what compilers print by themselves ("1 error generated.") off standard error while a program is built.
class QuietCompiler {
 public:
  QuietCompiler() {
    std::fflush(stderr);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    saved_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (saved_ >= 0) dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  ~QuietCompiler() {
    if (saved_ < 0) return;
    std::fflush(stderr);
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }
  QuietCompiler(const QuietCompiler&) = delete;
  QuietCompiler& operator=(const QuietCompiler&) = delete;

 private:
  int saved_ = -1;
};

class OpenClRuntime final : public Runtime {
 public:
  explicit OpenClRuntime(const Found& found) : info_(found.info), device_(found.device) {
    guarded("open the device", [&] {
      context_ = cl::Context(device_);
      queue_ = cl::CommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE);
      item_sizes_ = device_.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    });
  }

  const DeviceInfo& device() const override { return info_; }
  std::string_view source_extension() const override { return ".cl"; }

  BufferHandle allocate(std::size_t bytes) override {
    if (bytes > info_.largest_buffer)
      throw no_device("{} allows buffers of at most {}, and this run needs one of {}; take a smaller size", info_.name,
                      mebibytes(info_.largest_buffer), mebibytes(bytes));
    const std::size_t handle = free_.empty() ? buffers_.size() : free_.back();
    guarded(fmt::format("allocate {}", mebibytes(bytes)), [&] {
      Memory memory = guarded_memory(bytes);
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
    free_.push_back(buffer);
  }

  void upload(BufferHandle buffer, std::size_t offset, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    const cl::Buffer& memory = checked(buffer, offset, bytes.size());
    guarded("copy to the device",
            [&] { queue_.enqueueWriteBuffer(memory, CL_TRUE, offset, bytes.size(), bytes.data()); });
  }

  void download(BufferHandle buffer, std::size_t offset, std::span<std::byte> bytes) override {
    if (bytes.empty()) return;
    const cl::Buffer& memory = checked(buffer, offset, bytes.size());
    guarded("copy from the device",
            [&] { queue_.enqueueReadBuffer(memory, CL_TRUE, offset, bytes.size(), bytes.data()); });
  }

  void fill_zero(BufferHandle buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return;
    const cl::Buffer& memory = checked(buffer, offset, bytes);
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
    const cl::Buffer &source = checked(from, 0, bytes), &target = checked(to, 0, bytes);
    guarded("copy memory", [&] {
      queue_.enqueueCopyBuffer(source, target, 0, 0, bytes);
      queue_.finish();
    });
  }

  ProgramHandle build(const ProgramSource& source) override {
    cl::Program program;
    try {
      const QuietCompiler quiet;
      program = cl::Program(context_, compiler_text(source));
      program.build({device_});
    } catch (const cl::BuildError& error) { throw does_not_compile(source, error); } catch (const cl::Error& error) {
      throw failed("compile " + source.name, error);
    }
    Program built{std::move(program), source.name, {}, {}};
    guarded("list the kernels of " + source.name, [&] {
      std::istringstream names(tidy(built.program.getInfo<CL_PROGRAM_KERNEL_NAMES>()));
      for (std::string name; std::getline(names, name, ';');) built.names.push_back(name);
    });
    programs_.push_back(std::move(built));
    return programs_.size() - 1;
  }

  std::size_t parameter_count(ProgramHandle program, const std::string& kernel) override {
    return find(program, kernel).parameters;
  }

  double run(const KernelCall& call) override {
    Kernel& kernel = find(call.program, call.kernel);
    check(call, kernel);
    const std::vector<cl::Buffer> held = set_arguments(call, kernel);
    const auto range = [&](const std::array<std::size_t, 3>& size) {
      return call.dimensions == 1   ? cl::NDRange(size[0])
             : call.dimensions == 2 ? cl::NDRange(size[0], size[1])
                                    : cl::NDRange(size[0], size[1], size[2]);
    };
    double nanoseconds = 0;
    overruns_.clear();
    try {
      cl::Event done;
      queue_.enqueueNDRangeKernel(kernel.kernel, cl::NullRange, range(call.global), range(call.local), nullptr, &done);
      if (!wait_for(done)) {
        // What the running kernel uses must stay, and so must its queue: whoever releases that waits for the kernel.
        new LeftBehind{context_, queue_, buffers_, programs_, done};
        throw Overdue(true);
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
    look_at_guards(call);
    return nanoseconds;
  }

  std::vector<Overrun> overruns() const override { return overruns_; }

 private:
  // A buffer as kernels see it, in the middle of a larger one when it is guarded.
  struct Memory {
    cl::Buffer buffer;
    std::size_t bytes = 0;
    cl::Buffer whole{};
    bool guarded = false;
  };
  struct Kernel {
    cl::Kernel kernel;
    std::size_t parameters = 0, max_group = 0;
    std::uint64_t static_local = 0;
  };
  struct Program {
    cl::Program program;
    std::string name;
    std::vector<std::string> names;
    std::map<std::string, Kernel> kernels;
  };

  struct LeftBehind {
    cl::Context context;
    cl::CommandQueue queue;
    std::vector<Memory> buffers;
    std::vector<Program> programs;
    cl::Event done;
  };

  // Waits for a launch to end; false when the time limit came first.
  bool wait_for(const cl::Event& done) const {
    using namespace std::chrono_literals;
    if (time_limit() <= 0) {
      done.wait();
      return true;
    }
    queue_.flush();
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(time_limit());
    // Short at first, so that small launches cost no more than they take.
    for (std::chrono::nanoseconds pause = 20us;; pause = std::min<std::chrono::nanoseconds>(2 * pause, 5ms)) {
      const cl_int status = done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
      if (status == CL_COMPLETE || status < 0) {
        done.wait();  // throws what went wrong
        return true;
      }
      if (std::chrono::steady_clock::now() >= end) return false;
      std::this_thread::sleep_for(pause);
    }
  }

  // A buffer between guard zones, where the device has room for them.
  Memory guarded_memory(std::size_t bytes) {
    const std::size_t size = std::max<std::size_t>(bytes, 16);  // nothing of no size exists in OpenCL
    const std::size_t zone = guard_bytes(bytes);
    if (size + 2 * zone > info_.largest_buffer)
      return {cl::Buffer(context_, CL_MEM_READ_WRITE, size), bytes, {}, false};
    cl::Buffer whole(context_, CL_MEM_READ_WRITE, size + 2 * zone);
    const cl_buffer_region region{zone, size};
    Memory memory{whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region), bytes, whole, true};
    fill_guards(zones_of(memory));
    return memory;
  }

  GuardedMemory zones_of(const Memory& memory) {
    return {memory.bytes,
            [this, whole = memory.whole](std::size_t offset, std::span<std::byte> bytes) {
              queue_.enqueueReadBuffer(whole, CL_TRUE, offset, bytes.size(), bytes.data());
            },
            [this, whole = memory.whole](std::size_t offset, std::span<const std::byte> bytes) {
              queue_.enqueueWriteBuffer(whole, CL_TRUE, offset, bytes.size(), bytes.data());
            }};
  }

  // Notes what the kernel wrote next to its buffers.
  void look_at_guards(const KernelCall& call) {
    guarded("look at the memory next to a buffer", [&] {
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const auto* argument = std::get_if<KernelArgument::Memory>(&call.arguments[i].value);
        if (!argument || !buffers_.at(argument->buffer).guarded) continue;
        for (const std::int64_t byte : changed_guards(zones_of(buffers_[argument->buffer])))
          overruns_.push_back({i, byte});
      }
    });
  }

  Error failed(const std::string& doing, const cl::Error& error) const {
    constexpr cl_int nvidia_illegal_address = -9999;  // NVIDIA's own, in no header
    if (error.err() == nvidia_illegal_address)
      return no_device(
          "{} could not {}: it touched memory outside of its buffers; with the kernel in CUDA C++ beside it, --runtime "
          "host says which work-item and which element",
          info_.name, doing);
    if (out_of_memory(error.err()))
      return no_device("{} ran out of memory (could not {}: {}); take a smaller size or another device", info_.name,
                       doing, error_name(error.err()));
    return no_device("{} could not {}: {} ({})", info_.name, doing, error_name(error.err()), error.what());
  }

  template <typename Action>
  void guarded(const std::string& doing, const Action& action) const {
    try {
      action();
    } catch (const cl::Error& error) { throw failed(doing, error); }
  }

  Error does_not_compile(const ProgramSource& source, const cl::BuildError& error) const {
    std::string log;
    for (const auto& [device, text] : error.getBuildLog()) log += text + "\n";
    log = readable_build_log(log, source.name);
    if (!info_.fp64 && (log.find("double") != std::string::npos || log.find("fp64") != std::string::npos))
      return usage_error("{} computes in double precision, which {} does not have; take --type float or another device",
                         source.name, info_.name);
    if (log.empty()) log = error_name(error.err());
    return usage_error("{} does not compile:\n{}", source.name, log);
  }

  const cl::Buffer& checked(BufferHandle buffer, std::size_t offset, std::size_t bytes) const {
    const Memory& memory = buffers_.at(buffer);
    assert(offset <= memory.bytes && bytes <= memory.bytes - offset);
    return memory.buffer;
  }

  Kernel& find(ProgramHandle handle, const std::string& name) {
    Program& program = programs_.at(handle);
    const auto known = program.kernels.find(name);
    if (known != program.kernels.end()) return known->second;
    if (std::find(program.names.begin(), program.names.end(), name) == program.names.end())
      throw usage_error(
          "{} has no kernel called {}; it has {}", program.name, name,
          program.names.empty() ? std::string("none") : fmt::format("{}", fmt::join(program.names, ", ")));
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
    if (call.arguments.size() != kernel.parameters)
      throw usage_error("kernel {} takes {} arguments and was given {}", call.kernel, kernel.parameters,
                        call.arguments.size());
    std::size_t group = 1;
    for (int d = 0; d < 3; ++d) {
      const auto at = static_cast<std::size_t>(d);
      if (call.local[at] == 0 || call.global[at] == 0 || call.global[at] % call.local[at] != 0)
        throw usage_error("kernel {}: {} work-items are not whole groups of {} (dimension {})", call.kernel,
                          call.global[at], call.local[at], d);
      if (at < item_sizes_.size() && call.local[at] > item_sizes_[at])
        throw usage_error(
            "kernel {}: a work-group of {} in dimension {} is over the {} that {} allows; take a smaller --group-size",
            call.kernel, call.local[at], d, item_sizes_[at], info_.name);
      if (call.local[at] > std::size_t(1) << 20) break;
      group *= call.local[at];
    }
    if (group > info_.max_group_size)
      throw usage_error("kernel {}: a work-group of {} is over the {} that {} allows; take a smaller --group-size",
                        call.kernel, group, info_.max_group_size, info_.name);
    if (group > kernel.max_group)
      throw usage_error(
          "kernel {}: a work-group of {} is over the {} that {} allows for what this kernel needs; take a smaller "
          "--group-size",
          call.kernel, group, kernel.max_group, info_.name);

    std::uint64_t local_bytes = kernel.static_local;
    for (const KernelArgument& argument : call.arguments)
      if (const auto* local = std::get_if<KernelArgument::Local>(&argument.value)) local_bytes += local->bytes;
    if (local_bytes > info_.local_bytes)
      throw usage_error(
          "kernel {} needs {} bytes of local memory a work-group, and {} has {}; take a smaller size or --group-size",
          call.kernel, local_bytes, info_.name, info_.local_bytes);
  }

  std::vector<cl::Buffer> set_arguments(const KernelCall& call, Kernel& kernel) {
    std::vector<cl::Buffer> held;  // so that no buffer goes while the kernel runs
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto& value = call.arguments[i].value;
      try {
        const auto at = static_cast<cl_uint>(i);
        if (const auto* memory = std::get_if<KernelArgument::Memory>(&value)) {
          held.push_back(buffers_.at(memory->buffer).buffer);
          kernel.kernel.setArg(at, held.back());
        } else if (const auto* scalar = std::get_if<KernelArgument::Scalar>(&value)) {
          kernel.kernel.setArg(at, scalar->bytes, scalar->bits.data());
        } else {
          kernel.kernel.setArg(at, std::max<std::size_t>(std::get<KernelArgument::Local>(value).bytes, 1), nullptr);
        }
      } catch (const cl::Error& error) {
        if (out_of_memory(error.err())) throw failed("take an argument", error);
        throw usage_error("argument {} of kernel {} does not fit its parameter ({}); check the plan's args", i + 1,
                          call.kernel, error_name(error.err()));
      }
    }
    return held;
  }

  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::vector<std::size_t> item_sizes_;
  std::vector<Overrun> overruns_;  // of the latest run
  std::vector<Memory> buffers_;
  std::vector<BufferHandle> free_;
  std::vector<Program> programs_;
};

}  // namespace

void list_opencl_devices(DeviceList& list) {
  std::string why_not;
  const std::vector<Found> found = find_devices(why_not);
  for (const Found& one : found) list.devices.push_back(one.info);
  if (found.empty()) list.missing.push_back("opencl: " + why_not);
}

std::unique_ptr<Runtime> open_opencl_runtime(int device) {
  std::string why_not;
  const std::vector<Found> found = find_devices(why_not);
  if (found.empty()) throw no_device("there is no OpenCL device: {}", why_not);
  if (device < 0 || static_cast<std::size_t>(device) >= found.size())
    throw no_device("there is no OpenCL device {}; they are numbered 0 to {} (see twiddle devices)", device,
                    found.size() - 1);
  return std::make_unique<OpenClRuntime>(found[static_cast<std::size_t>(device)]);
}

}  // namespace twiddle
