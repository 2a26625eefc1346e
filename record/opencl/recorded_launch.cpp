#include "record/opencl/recorded_launch.h"

#include "base/error.h"
#include "record/opencl/driver.h"
#include "record/opencl/memory.h"
#include "record/opencl/probes.h"
#include "record/opencl/shared_memory.h"
#include "tracer/opencl/devices/opencl_build_log.h"
#include "tracer/opencl/devices/opencl_describe.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

namespace twiddle::layer {
namespace {

// Why a launch runs without being seen.
struct Plain : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What this layer has of its own on a device: a queue in order, and the log's memory.
struct Device {
  cl::Context context;
  cl::Device device;
  cl::CommandQueue queue;
  DeviceInfo info;
  std::optional<LoggedLaunch> logged;
  std::map<std::array<std::size_t, 4>, std::array<std::size_t, 3>> group_sizes;  // that the driver chooses, by size
};

Device& device_of(cl_command_queue queue) {
  static auto* const all = new std::map<std::pair<cl_context, cl_device_id>, Device>;
  cl_context context = nullptr;
  cl_device_id id = nullptr;
  driver->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
  driver->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, nullptr);
  const auto known = all->find({context, id});
  if (known != all->end()) return known->second;
  Device device;
  device.context = cl::Context(context, true);
  device.device = cl::Device(id, true);
  device.queue = cl::CommandQueue(device.context, device.device);
  device.info = describe_opencl_device(device.device);
  device.logged.emplace(device.context, device.queue, device.info);
  return all->emplace(std::pair(context, id), std::move(device)).first->second;
}

// The group size that the driver takes where the program leaves it to it: the program's results may depend on it.
std::array<std::size_t, 3> group_size_of(Device& device, const LaunchCall& call) {
  std::array<std::size_t, 3> compiled{};
  driver->clGetKernelWorkGroupInfo(call.kernel, device.device(), CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof compiled,
                                   compiled.data(), nullptr);
  if (compiled[0] > 0) return compiled;
  const std::array<std::size_t, 4> key{call.dimensions, call.global[0], call.global[1], call.global[2]};
  if (const auto known = device.group_sizes.find(key); known != device.group_sizes.end()) return known->second;
  cl::Program program(device.context,
                      "kernel void twiddle_sizes(global ulong*out){for(int d=0;d<3;d++)out[d]=get_local_size(d);}");
  build_program(program, device.device, "");
  cl::Kernel kernel(program, "twiddle_sizes");
  cl::Buffer out(device.context, CL_MEM_WRITE_ONLY, 3 * sizeof(cl_ulong));
  kernel.setArg(0, out);
  const cl_int status = driver->clEnqueueNDRangeKernel(device.queue(), kernel(), call.dimensions, nullptr,
                                                       call.global.data(), nullptr, 0, nullptr, nullptr);
  if (status != CL_SUCCESS) throw cl::Error(status, "group size");
  std::array<cl_ulong, 3> sizes{};
  device.queue.enqueueReadBuffer(out, CL_TRUE, 0, sizeof sizes, sizes.data());
  const std::array<std::size_t, 3> found{sizes[0], sizes[1], sizes[2]};
  device.group_sizes[key] = found;
  return found;
}

std::string hexadecimal(const std::vector<std::byte>& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4];
    text += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

// One launch on its way into the recording.
class Recorded {
 public:
  Recorded(Recording& recording, const LaunchCall& call, KernelRecord& kernel, RawLaunch& raw)
      : recording_(recording), call_(call), kernel_(kernel), raw_(raw), device_(device_of(call.queue)) {}

  // Throws Plain, cl::Error or Error; unless done() says otherwise, the original can still be run then.
  void run() {
    try {
      check();
      wait();
      find_twin();
      find_sizes();
      find_arguments();
      find_reached();
      hand_over();
      const std::filesystem::path place = recording_.next_launch_file();
      const BegunLaunch begun(place, raw_);
      RawFileWriter file(place);
      log(file);
      if (call_.event) *call_.event = retained();
      raw_.waits = may_probe();
      file.add("head", text_of(raw_));
      if (!file.keep())
        forget();
      else if (raw_.waits)
        probe(place);
    } catch (...) {
      forget();
      throw;
    }
  }

  // Whether buffers hold what the kernel left, or were brought back.
  bool done() const { return done_; }

 private:
  cl_event retained() {
    driver->clRetainEvent(last_());
    return last_();
  }

  // Unless asked for every time, once for each way that a kernel is called in, if on other data it can do nothing worse than on
  // its own.
  bool may_probe() {
    const int probes = recording_.settings().probes;
    if (probes == 0 || raw_.lost > 0 || raw_.windows.size() != 1) return false;
    if (reaches_) return false;  // it would go to the program's own memory
    for (std::size_t m = 0, w = 0; m < memory_.size(); ++m)
      probed_.push_back({memory_[m].buffer, memory_[m].written,
                         memory_[m].written ? saved_.at(w++) : cl::Buffer(memory_[m].buffer.whole, true)});
    if (!can_probe(probed_)) return false;
    if (probes > 0) return true;
    if (kernel_twin_->description->led) return false;
    std::string values;
    for (const RawArgument& argument : raw_.arguments) values += argument.value + ' ';
    static auto* const asked =
        new std::set<std::tuple<const void*, std::array<std::size_t, 3>, std::array<std::size_t, 3>, std::string>>;
    return asked->emplace(kernel_twin_, call_.global, local_, values).second;
  }

  // The program's memory holds what the launch left; nothing here can fail it any more.
  void probe(const std::filesystem::path& place) try {
    const RawProbes wanted = recording_.wanted_probes(place);
    if (wanted.runs == 0) return;
    RawFileWriter file(file_beside(place, "probed"));
    try {
      run_probes(
          wanted,
          {device_.context, device_.queue, *device_.logged, twin_->built, *kernel_twin_->description, kernel_call_,
           call_.offset, call_.has_offset, kernel_.arguments, raw_.arguments, probed_, recording_.settings().log_bytes},
          file);
    } catch (const std::exception&) {}  // what was run until then is an answer, too
    file.keep();
  } catch (const std::exception&) {}

  void forget() {
    for (const RawMemory& memory : raw_.memory) forget_content(memory.id);
  }

  void check() {
    if (!kernel_.program)
      throw Plain("its program was made before the recording began, or by a function of an extension");
    if (!kernel_.program->unseen.empty()) throw Plain(kernel_.program->unseen);
    if (kernel_.reaches_all)
      throw Plain("it may access all of the host's memory (clSetKernelExecInfo), which is not logged");
    if (!open_events().empty())
      throw Plain(
          "the program had not ended an event of its own (clCreateUserEvent), for which a launch may have to wait");
    raw_.device = device_.info.name;
    raw_.driver = device_.info.driver;
    raw_.platform = device_.info.platform;
    raw_.rows = device_.info.kind == "cpu";
  }

  // Everything before this launch: what it waits for, and what is in its queue. Other queues may hold what that waits for.
  void wait() {
    for (cl_uint i = 0; i < call_.waits; ++i) {
      cl_command_queue queue = nullptr;
      driver->clGetEventInfo(call_.wait_list[i], CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
      if (queue) driver->clFlush(queue);
    }
    for (cl_command_queue queue : queues()) driver->clFlush(queue);
    if (call_.waits > 0 && driver->clWaitForEvents(call_.waits, call_.wait_list) != CL_SUCCESS)
      throw Plain("something that it waits for failed");
    if (const cl_int status = driver->clFinish(call_.queue)) throw cl::Error(status, "clFinish");
  }

  void find_twin() {
    twin_ = &twin_for(*kernel_.program, device_.context, device_.queue, device_.device, device_.info);
    if (!twin_->built.why_not.empty()) throw Plain(twin_->built.why_not.english());
    if (!twin_->never.empty()) throw Plain(twin_->never);
    // It would print twice: a launch is run once to count what it accesses, and once to log it.
    if (twin_->printing.count("") || twin_->printing.count(kernel_.name)) throw Plain("it prints");
    if (twin_->file < 0) {
      RawProgram program{
          twin_->source.name, twin_->source.text, twin_->built.twin.description, twin_->source.options, {}};
      twin_->file = recording_.write(program);
    }
    raw_.program = twin_->file;
  }

  void find_sizes() {
    local_ = call_.has_local ? call_.local : group_size_of(device_, call_);
    std::uint64_t items = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      if (call_.global[d] == 0 || local_[d] == 0) throw Plain("it has no work-items");
      if (call_.global[d] % local_[d] != 0) throw Plain("its last work-groups are smaller than the others");
      items *= call_.global[d];
    }
    if (items > 0xffffffffu) throw Plain("it has more work-items than can be numbered");
    kernel_call_.kernel = kernel_.name;
    kernel_call_.dimensions = static_cast<int>(call_.dimensions);
    kernel_call_.global = call_.global;
    kernel_call_.local = local_;
    kernel_twin_ = &twin_kernel(twin_->built, device_.device, kernel_call_);
    const std::size_t group = local_[0] * local_[1] * local_[2];
    if (group > kernel_twin_->max_group && !device_.info.vendor.starts_with("NVIDIA"))
      throw Plain("with logging the device allows groups of " + std::to_string(kernel_twin_->max_group) +
                  ", and the launch has groups of " + std::to_string(group));
    raw_.dimensions = kernel_call_.dimensions;
    raw_.global = call_.global;
    raw_.local = local_;
    raw_.offset = call_.offset;
    items_ = items;
    group_size_ = group;
  }

  void find_arguments() {
    const std::vector<TwinParameter>& parameters = kernel_twin_->description->parameters;
    if (parameters.size() != kernel_.arguments.size()) throw Plain("its twin takes other arguments");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const ArgumentRecord& given = kernel_.arguments[i];
      if (!given.set) throw Plain("not all of its arguments are set");
      raw_.arguments.push_back(argument(parameters[i], given, static_cast<cl_uint>(i)));
    }
  }

  // What the kernel may come to without being given it: the shared virtual memory that the program named, and all that something
  // points to in what it is given. The program would not have to name what it stores pointers to, where drivers let it.
  void find_reached() {
    if (!any_shared_memory()) return;
    const auto add = [&](const BufferPart& part, bool named) {
      const std::size_t known = memory_.size();
      const int memory = number_of(part, true);  // a pointer does not tell whether it is written
      reaches_ = true;
      if (named && static_cast<std::size_t>(memory) < known) return;
      RawArgument reached;
      reached.kind = RawArgument::Kind::Reached;
      reached.name = "memory";
      reached.memory = memory;
      reached.bytes = part.whole_bytes;
      const bool listed = std::any_of(raw_.arguments.begin(), raw_.arguments.end(), [&](const RawArgument& one) {
        return one.kind == RawArgument::Kind::Reached && one.memory == memory;
      });
      if (!listed) raw_.arguments.push_back(std::move(reached));
    };
    for (const void* pointer : kernel_.reached)
      if (const auto part = shared_part(pointer)) add(*part, true);
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i)
      if (raw_.arguments[i].kind == RawArgument::Kind::Value)
        for (const BufferPart& part : shared_parts_in(kernel_.arguments[i].value)) add(part, false);
    for (std::size_t m = 0; m < memory_.size(); ++m)
      for (const BufferPart& part : shared_parts_in(content(device_.context, device_.queue, memory_[m].buffer)))
        add(part, false);
  }

  // A kernel remembers what it may come to: then it is one of this launch alone.
  void hand_over() {
    call_twin_ = reaches_ ? cl::Kernel(twin_->built.program, kernel_.name.c_str()) : kernel_twin_->kernel;
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
      const ArgumentRecord& given = kernel_.arguments[i];
      const auto at = static_cast<cl_uint>(i);
      const void* value = given.value.empty() ? nullptr : given.value.data();
      const cl_int status = given.pointer ? driver->clSetKernelArgSVMPointer(call_twin_(), at, pointer_in(given))
                                          : driver->clSetKernelArg(call_twin_(), at, given.size, value);
      if (status) throw cl::Error(status, "clSetKernelArg");
    }
    if (!reaches_) return;
    std::vector<const void*> reached;
    for (const Touched& one : memory_)
      if (one.buffer.address) reached.push_back(reinterpret_cast<const void*>(one.buffer.address));
    if (const cl_int status = driver->clSetKernelExecInfo(call_twin_(), CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                                          reached.size() * sizeof(void*), reached.data()))
      throw cl::Error(status, "clSetKernelExecInfo");
  }

  static const void* pointer_in(const ArgumentRecord& given) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, given.value.data(), std::min(given.value.size(), sizeof pointer));
    return pointer;
  }

  // Nothing for a null pointer.
  static std::optional<BufferPart> memory_of(const ArgumentRecord& given) {
    const void* pointer = pointer_in(given);
    if (!pointer) return std::nullopt;
    auto part = given.pointer ? shared_part(pointer) : buffer_part(static_cast<cl_mem>(const_cast<void*>(pointer)));
    if (!part && given.pointer)
      throw Plain(
          "it takes a pointer to memory that is not clSVMAlloc's (system shared virtual memory), which is not logged");
    if (!part) throw Plain("it takes memory that is no buffer through a pointer");
    return part;
  }

  RawArgument argument(const TwinParameter& parameter, const ArgumentRecord& given, cl_uint index) {
    RawArgument raw;
    raw.name = parameter.name;
    raw.bytes = given.size;
    if (parameter.space == "local") {
      raw.kind = RawArgument::Kind::Local;
    } else if (parameter.space == "global" || parameter.space == "constant") {
      raw.kind = RawArgument::Kind::Memory;
      raw.bytes = 0;
      if (const auto part = memory_of(given)) {
        raw.memory = number_of(*part, !parameter.read_only);
        raw.offset = part->offset;
        raw.bytes = part->bytes;
      }
    } else {
      raw.value = hexadecimal(given.value);
    }
    if (raw.kind != RawArgument::Kind::Local) raw.type = type_of_argument(index);
    return raw;
  }

  std::string type_of_argument(cl_uint index) const {
    std::string type;
    std::size_t size = 0;
    if (driver->clGetKernelArgInfo(kernel_twin_->kernel(), index, CL_KERNEL_ARG_TYPE_NAME, 0, nullptr, &size) !=
        CL_SUCCESS)
      return type;
    type.resize(size);
    driver->clGetKernelArgInfo(kernel_twin_->kernel(), index, CL_KERNEL_ARG_TYPE_NAME, size, type.data(), nullptr);
    while (!type.empty() && type.back() == '\0') type.pop_back();
    return type;
  }

  // The index of the memory object that a buffer is, or is a part of, among those of this launch.
  int number_of(const BufferPart& part, bool written) {
    if (part.fine_grained)
      throw Plain(
          "it takes fine-grained shared virtual memory, which is not logged: the host may access it while the kernel "
          "runs");
    const auto known = std::find_if(memory_.begin(), memory_.end(),
                                    [&](const Touched& one) { return one.buffer.whole == part.whole; });
    const auto index = known - memory_.begin();
    if (known == memory_.end()) {
      memory_.push_back({part, false});
      raw_.memory.push_back({identity(part.whole), part.whole_bytes, false, false, part.address});
    }
    memory_[static_cast<std::size_t>(index)].written |= written;
    return static_cast<int>(index);
  }

  void add_contents(RawFileWriter& file, bool before) {
    for (std::size_t m = 0; m < memory_.size(); ++m) {
      if (!before && !memory_[m].written) continue;
      const std::vector<std::byte> bytes = content(device_.context, device_.queue, memory_[m].buffer);
      const bool other = changed(raw_.memory[m].id, bytes);
      if (before && !other) continue;
      (before ? raw_.memory[m].has_before : raw_.memory[m].has_after) = true;
      file.add(before ? "befo" : "afte", bytes);
    }
  }

  void log(RawFileWriter& file) {
    add_contents(file, true);
    std::vector<std::pair<cl::Buffer, std::size_t>> written;
    for (const Touched& one : memory_)
      if (one.written) written.emplace_back(cl::Buffer(one.buffer.whole, true), one.buffer.whole_bytes);
    for (const auto& [buffer, bytes] : written) {
      saved_.emplace_back(device_.context, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1));
      if (bytes) device_.queue.enqueueCopyBuffer(buffer, saved_.back(), 0, 0, bytes);
    }
    const auto restore = [&] {
      for (std::size_t i = 0; i < written.size(); ++i)
        if (written[i].second) device_.queue.enqueueCopyBuffer(saved_[i], written[i].first, 0, 0, written[i].second);
      device_.queue.finish();
    };
    try {
      log_windows(file, written, restore);
    } catch (...) {
      restore();
      throw;
    }
    done_ = true;
    add_contents(file, false);
  }

  // Runs the launch once for each window of items whose log fits into its memory.
  template <typename Restore>
  void log_windows(RawFileWriter& file, const std::vector<std::pair<cl::Buffer, std::size_t>>& written,
                   const Restore& restore) {
    const RecordSettings& settings = recording_.settings();
    const std::uint64_t end = settings.last_item < items_ ? settings.last_item + 1 : items_;
    std::uint64_t first = std::min(settings.first_item, items_) / group_size_ * group_size_;
    if (first >= end) throw Plain("it has none of the work-items that were asked for");
    AccessRequest request;
    request.items = end - first;
    request.max_bytes = settings.log_bytes;
    bool again = false;
    while (first < end) {
      if (again) restore();
      again = true;
      request.first_item = first;
      std::uint64_t lost = 0;
      const auto take = [&](const AccessLogLayout& layout, std::span<const std::uint64_t> words,
                            std::span<const std::uint32_t> counts) {
        lost = layout.lost(counts);
        if (lost == 0 || request.items == 1) file.add("logw", std::as_bytes(words));
      };
      const double nanoseconds = device_.logged->log(
          twin_->built.twin, *kernel_twin_, kernel_call_, request, written,
          [&](const cl::Buffer& log, bool) { return launch_twin(log); }, take);
      // Half as many items, in whole groups where more than one is left, until they fit.
      if (lost > 0 && request.items > 1) {
        request.items /= 2;
        if (request.items > group_size_) request.items -= request.items % group_size_;
        continue;
      }
      raw_.windows.push_back({first, request.items});
      raw_.lost += lost;
      raw_.device_ns = nanoseconds;
      first += request.items;
      request.items = std::min(request.items, end - first);
    }
  }

  // In the program's own queue: the last one's event becomes the program's.
  double launch_twin(const cl::Buffer& log) {
    device_.queue.finish();
    cl_mem memory = log();
    const auto index = static_cast<cl_uint>(kernel_.arguments.size());
    if (const cl_int status = driver->clSetKernelArg(call_twin_(), index, sizeof memory, &memory))
      throw cl::Error(status, "clSetKernelArg");
    cl_event event = nullptr;
    cl_int status = driver->clEnqueueNDRangeKernel(call_.queue, call_twin_(), call_.dimensions,
                                                   call_.has_offset ? call_.offset.data() : nullptr,
                                                   call_.global.data(), local_.data(), 0, nullptr, &event);
    if (status == CL_SUCCESS) last_ = cl::Event(event);
    if (status == CL_SUCCESS) status = driver->clFinish(call_.queue);
    if (status != CL_SUCCESS) throw cl::Error(status, "launch");
    cl_ulong start = 0, end = 0;
    if (driver->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr) == CL_SUCCESS)
      driver->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    return end > start ? static_cast<double>(end - start) : 0;
  }

  struct Touched {
    BufferPart buffer;
    bool written;
  };
  Recording& recording_;
  const LaunchCall& call_;
  KernelRecord& kernel_;
  RawLaunch& raw_;
  Device& device_;
  ProgramTwin* twin_ = nullptr;
  BuiltTwin::Kernel* kernel_twin_ = nullptr;
  cl::Kernel call_twin_;  // with the launch's arguments
  bool reaches_ = false;  // memory that it is not given
  KernelCall kernel_call_;
  std::array<std::size_t, 3> local_{1, 1, 1};
  std::uint64_t items_ = 0, group_size_ = 1;
  std::vector<Touched> memory_;
  std::vector<cl::Buffer> saved_;  // what was in those that are written
  std::vector<ProbedMemory> probed_;
  cl::Event last_;
  bool done_ = false;
};

}  // namespace

std::set<cl_event>& open_events() {
  static auto* const all = new std::set<cl_event>;
  return *all;
}

std::set<cl_command_queue>& queues() {
  static auto* const all = new std::set<cl_command_queue>;
  return *all;
}

bool run_recorded(Recording& recording, const LaunchCall& call, KernelRecord& kernel, RawLaunch& raw) try {
  Recorded recorded(recording, call, kernel, raw);
  try {
    recorded.run();
    return true;
  } catch (const std::exception&) {
    if (recorded.done()) return true;
    throw;
  }
} catch (const cl::Error& error) {
  raw.reason = "the driver could not run its twin (" + opencl_error_name(error.err()).english() + ")";
  return false;
} catch (const std::exception& error) {
  raw.reason = error.what();
  return false;
}

}  // namespace twiddle::layer
