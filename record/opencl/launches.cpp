#include "record/opencl/launches.h"

#include "record/opencl/driver.h"
#include "record/opencl/recorded_launch.h"
#include "record/opencl/state.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace twiddle::layer {
namespace {

cl_int run_original(const LaunchCall& call, bool task) {
  if (task) return driver->clEnqueueTask(call.queue, call.kernel, call.waits, call.wait_list, call.event);
  return driver->clEnqueueNDRangeKernel(
      call.queue, call.kernel, call.dimensions, call.has_offset ? call.offset.data() : nullptr, call.global.data(),
      call.has_local ? call.local.data() : nullptr, call.waits, call.wait_list, call.event);
}

// A launch that was run as it is. Sizes are the program's own, as far as they were given.
void write_plain(Recording& recording, const RawLaunch& raw, const LaunchCall& call) {
  RawLaunch plain;
  plain.number = raw.number;
  plain.kernel = raw.kernel;
  plain.device = raw.device;
  plain.driver = raw.driver;
  plain.platform = raw.platform;
  plain.dimensions = static_cast<int>(std::clamp<cl_uint>(call.dimensions, 1, 3));
  for (std::size_t d = 0; d < 3; ++d) {
    plain.global[d] = std::max<std::size_t>(call.global[d], 1);
    plain.local[d] = std::clamp<std::size_t>(call.local[d], 1, plain.global[d]);
  }
  plain.reason = raw.reason;
  RawFileWriter file(recording.next_launch_file());
  file.add("head", text_of(plain));
  file.keep();
}

cl_int launch(const LaunchCall& call, bool task) {
  const Locked locked(layer_lock());
  Recording* recording = Recording::get();
  KernelRecord* kernel = kernel_record(call.kernel);
  queues().insert(call.queue);
  if (!recording || !kernel) return run_original(call, task);
  RawLaunch raw;
  raw.number = recording->next_launch();
  raw.kernel = kernel->name;
  recording->count(RecordCounts::Launches);
  if (!recording->wanted(raw.number, kernel->name)) {
    recording->count(RecordCounts::Filtered);
    return run_original(call, task);
  }
  if (run_recorded(*recording, call, *kernel, raw)) return CL_SUCCESS;
  const cl_int status = run_original(call, task);
  write_plain(*recording, raw, call);
  return status;
}

CL_API_ENTRY cl_int CL_API_CALL enqueue_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                              const std::size_t* offset, const std::size_t* global,
                                              const std::size_t* local, cl_uint waits, const cl_event* wait_list,
                                              cl_event* event) {
  if (!global || dimensions < 1 || dimensions > 3)
    return driver->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
  LaunchCall call;
  call.queue = queue;
  call.kernel = kernel;
  call.dimensions = dimensions;
  std::copy(global, global + dimensions, call.global.begin());
  if (local) std::copy(local, local + dimensions, call.local.begin());
  if (offset) std::copy(offset, offset + dimensions, call.offset.begin());
  call.has_local = local;
  call.has_offset = offset;
  call.waits = waits;
  call.wait_list = wait_list;
  call.event = event;
  return launch(call, false);
}

CL_API_ENTRY cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
                                             const cl_event* wait_list, cl_event* event) {
  LaunchCall call;
  call.queue = queue;
  call.kernel = kernel;
  call.has_local = true;
  call.waits = waits;
  call.wait_list = wait_list;
  call.event = event;
  return launch(call, true);
}

CL_API_ENTRY cl_event CL_API_CALL create_user_event(cl_context context, cl_int* error) {
  cl_event event = driver->clCreateUserEvent(context, error);
  const Locked locked(layer_lock());
  if (event) open_events().insert(event);
  return event;
}

CL_API_ENTRY cl_int CL_API_CALL end_user_event(cl_event event, cl_int status) {
  const cl_int result = driver->clSetUserEventStatus(event, status);
  const Locked locked(layer_lock());
  open_events().erase(event);
  return result;
}

// Command buffers (cl_khr_command_buffer) are asked for by name, of each platform. Its functions are the driver's own, and what
// they launch is not logged: that they ran is said.
using EnqueueCommandBuffer = cl_int(CL_API_CALL*)(cl_uint, cl_command_queue*, void* buffer, cl_uint, const cl_event*,
                                                  cl_event*);  // older headers lack it
std::map<const void*, EnqueueCommandBuffer>& command_buffer_functions() {
  static auto* const all = new std::map<const void*, EnqueueCommandBuffer>;
  return *all;
}

constexpr cl_int invalid_command_buffer = -1138;

// All objects of a driver begin with a pointer to its table of functions.
const void* driver_of(const void* object) { return *static_cast<const void* const*>(object); }

CL_API_ENTRY cl_int CL_API_CALL enqueue_command_buffer(cl_uint count, cl_command_queue* of, void* buffer, cl_uint waits,
                                                       const cl_event* wait_list, cl_event* event) {
  if (!buffer) return invalid_command_buffer;
  const Locked locked(layer_lock());
  const auto found = command_buffer_functions().find(driver_of(buffer));
  if (found == command_buffer_functions().end()) return invalid_command_buffer;
  const cl_int status = found->second(count, of, buffer, waits, wait_list, event);
  if (Recording* recording = Recording::get(); recording && status == CL_SUCCESS) {
    RawLaunch raw;
    raw.number = recording->next_launch();
    raw.kernel = "command_buffer";
    raw.reason = "it is a command buffer, whose launches are not logged";
    recording->count(RecordCounts::Launches);
    write_plain(*recording, raw, {});
  }
  return status;
}

CL_API_ENTRY void* CL_API_CALL extension_function(cl_platform_id platform, const char* name) {
  void* function = driver->clGetExtensionFunctionAddressForPlatform(platform, name);
  if (!function || !platform || !name || std::strcmp(name, "clEnqueueCommandBufferKHR") != 0) return function;
  const Locked locked(layer_lock());
  command_buffer_functions()[driver_of(platform)] = reinterpret_cast<EnqueueCommandBuffer>(function);
  return reinterpret_cast<void*>(enqueue_command_buffer);
}

CL_API_ENTRY cl_int CL_API_CALL release_queue(cl_command_queue queue) {
  {
    const Locked locked(layer_lock());
    cl_uint references = 0;
    driver->clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, nullptr);
    if (references <= 1) queues().erase(queue);
  }
  return driver->clReleaseCommandQueue(queue);
}

}  // namespace

void intercept_launches(cl_icd_dispatch& table) {
  table.clEnqueueNDRangeKernel = enqueue_range;
  table.clEnqueueTask = enqueue_task;
  table.clCreateUserEvent = create_user_event;
  table.clSetUserEventStatus = end_user_event;
  table.clReleaseCommandQueue = release_queue;
  table.clGetExtensionFunctionAddressForPlatform = extension_function;
}

}  // namespace twiddle::layer
