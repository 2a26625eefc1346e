// libtwiddle-cuda.so: the CUDA driver loads it into a program when CUDA_INJECTION64_PATH names it, and calls
// InitializeInjection() from cuInit(). Named in LD_PRELOAD too, it notes what NVRTC compiles (nvrtc_programs.h).
#include "record/cuda/exported.h"
#include "record/cuda/nvrtc_programs.h"
#include "record/cuda/recorder.h"
#include "record/cuda/toolkit.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace twiddle_cuda {
namespace {

LogFolder* log_folder = nullptr;  // as long as the recorder
Recorder* recorder = nullptr;     // until the process is gone: the driver's threads call back to the end
pid_t recorded_process = 0;
thread_local StreamId graph_stream = nullptr;
thread_local bool graph_upload = false;
thread_local std::optional<Arguments> launch_arguments;  // of the call that this thread is in
thread_local int loading_program = 0;                    // NVRTC's that the call loads, by its number

template <typename T>
const T& as(const void* data) {
  return *static_cast<const T*>(data);
}

void on_resource(std::uint32_t event, const void* data) {
  using namespace resource_event;
  switch (event) {
    case module_loaded: return recorder->module_loaded(as<ModuleData>(data), loading_program);
    case module_unload_starting: return recorder->module_unloading(as<ModuleData>(data));
    case device_memory_alloc:
    case memory_alloc_async: return recorder->memory_allocated(as<MemoryData>(data), false);
    case host_memory_alloc: return recorder->memory_allocated(as<MemoryData>(data), true);
    case device_memory_free:
    case host_memory_free:
    case memory_free_async: return recorder->memory_freed(as<MemoryData>(data));
    case stream_destroy_starting: return recorder->stream_ends(as<StreamData>(data));
    case context_destroy_starting: return recorder->context_ends(as<ContextData>(data).context);
    default: return;
  }
}

void on_graph(std::uint32_t event, const void* data) {
  using namespace graphs_event;
  if (event == launch_begin) {
    graph_stream = as<GraphLaunchData>(data).stream_id;
    graph_upload = as<GraphLaunchData>(data).is_upload != 0;
    if (!graph_upload) recorder->graph_begins(as<GraphLaunchData>(data).context);
  } else if (event == launch_end) {
    graph_stream = nullptr;
    graph_upload = false;
  } else if ((event == node_begin || event == node_end) && as<GraphNodeData>(data).type == 0 && !graph_upload) {
    const LaunchData& launch = as<GraphNodeData>(data).launch;
    if (event == node_begin) recorder->launch_begins(launch, graph_stream ? graph_stream : launch.stream_id, nullptr);
  }
}

// The list of names and values that a launch may have in place of pointers to its arguments.
void read_extra(void* const* extra, Arguments& into) {
  constexpr std::uintptr_t end = 0, pointer = 1, size = 2;
  for (int i = 0; extra && i < 4; i += 2) {
    const auto name = reinterpret_cast<std::uintptr_t>(extra[i]);
    if (name == end) return;
    if (name == pointer) into.packed = static_cast<const char*>(extra[i + 1]);
    if (name == size) into.packed_bytes = *static_cast<const std::size_t*>(extra[i + 1]);
  }
}

Arguments arguments_of(const LaunchCall& call, bool cooperative) {
  Arguments arguments;
  arguments.parameters = call.parameters;
  arguments.shared_bytes = call.shared_bytes;
  arguments.cooperative = cooperative;
  if (!cooperative) read_extra(call.extra, arguments);
  return arguments;
}

Arguments arguments_of(const ConfiguredLaunchCall& call) {
  constexpr int cooperative = 2;  // CU_LAUNCH_ATTRIBUTE_COOPERATIVE
  Arguments arguments;
  arguments.parameters = call.parameters;
  read_extra(call.extra, arguments);
  if (!call.configuration) return arguments;
  arguments.shared_bytes = call.configuration->shared_bytes;
  for (std::uint32_t i = 0; call.configuration->attributes && i < call.configuration->attribute_count; ++i)
    if (const LaunchAttribute& one = call.configuration->attributes[i]; one.id == cooperative)
      arguments.cooperative = one.value != 0;
  return arguments;
}

void on_driver_call(std::uint32_t event, const ApiData& call) {
  using namespace driver_call;
  launch_arguments.reset();
  loading_program = 0;
  if (call.is_exit || !call.parameters) return;
  if (event == load_module || event == load_module_with_options || event == load_library) {
    loading_program = program_of_ptx(as<LoadCall>(call.parameters).image);
    return;
  }
  if (event == launch_configured || event == launch_configured_own_stream)
    launch_arguments = arguments_of(as<ConfiguredLaunchCall>(call.parameters));
  else
    launch_arguments = arguments_of(as<LaunchCall>(call.parameters),
                                    event == launch_cooperative || event == launch_cooperative_own_stream);
}

void on_event(void*, Domain domain, std::uint32_t event, const void* data) {
  if (getpid() != recorded_process) return;
  switch (domain) {
    case Domain::driver_api: return on_driver_call(event, as<ApiData>(data));
    case Domain::resource: return on_resource(event, data);
    case Domain::graphs: return on_graph(event, data);
    case Domain::launch:
      if (event == launch_event::begin)
        recorder->launch_begins(as<LaunchData>(data), nullptr, launch_arguments ? &*launch_arguments : nullptr);
      if (event == launch_event::end) recorder->launch_ends(as<LaunchData>(data));
      return;
    case Domain::synchronize:
      if (event == synchronize_event::stream) recorder->stream_synchronized(as<SynchronizeData>(data));
      if (event == synchronize_event::context) recorder->context_synchronized(as<SynchronizeData>(data).context);
      return;
    case Domain::memcpy: return recorder->copied(as<MemcpyData>(data));
    case Domain::memset: return recorder->filled(as<MemsetData>(data));
  }
}

void at_exit() {
  if (getpid() == recorded_process) recorder->program_ends();
}

// Empty when this process is recorded from now on; else why not.
std::string begin(LogFolder& folder, const Settings& settings) {
  std::string reason;
  const Toolkit toolkit = find_toolkit();
  if (toolkit.sanitizer.empty())
    return "the CUDA Toolkit here has no compute-sanitizer/libsanitizer-public.so; set CUDA_HOME to one that has";
  const Sanitizer* api = load_sanitizer(toolkit.sanitizer, reason);
  if (!api) return reason;
  const std::string patches = device_patches(toolkit, reason);
  if (patches.empty()) return reason;
  recorded_process = getpid();
  recorder = new Recorder(*api, settings, folder, patches);
  Subscriber subscriber = nullptr;
  if (const int result = api->subscribe(&subscriber, on_event, nullptr))
    return "the Sanitizer does not take a subscriber: " + api->result_text(result);
  for (const Domain domain :
       {Domain::resource, Domain::launch, Domain::synchronize, Domain::graphs, Domain::memcpy, Domain::memset})
    if (const int result = api->enable_domain(1, subscriber, domain))
      return "the Sanitizer does not report events: " + api->result_text(result);
  // Without these, recordings lack what their kernels were given and compiled from, and no more.
  for (const std::uint32_t call :
       {driver_call::load_module, driver_call::load_module_with_options, driver_call::load_library, driver_call::launch,
        driver_call::launch_own_stream, driver_call::launch_cooperative, driver_call::launch_cooperative_own_stream,
        driver_call::launch_configured, driver_call::launch_configured_own_stream})
    api->enable_callback(1, subscriber, Domain::driver_api, call);
  std::atexit(at_exit);
  return "";
}

}  // namespace
}  // namespace twiddle_cuda

TW_EXPORT int InitializeInjection() {
  using namespace twiddle_cuda;
  static bool called = false;
  if (called) return 1;
  called = true;
  const Settings settings = settings_of_environment();
  if (settings.folder.empty()) return 1;
  auto* folder = new LogFolder;
  std::string reason;
  if (!folder->open(settings.folder, settings.writers, reason)) {
    std::fprintf(stderr, "twiddle: %s\n", reason.c_str());
    return 1;
  }
  folder->event("{\"twiddle\":\"cuda\",\"version\":" + std::to_string(format_version) +
                ",\"files\":" + std::to_string(settings.writers) + ",\"process\":" + std::to_string(getpid()) +
                ",\"values\":" + (settings.values ? "true}" : "false}"));
  log_folder = folder;
  keep_programs_in(*folder);
  reason = begin(*folder, settings);
  if (!reason.empty()) folder->event("{\"unavailable\":" + quoted(reason) + "}");
  return 1;
}

/// For `twiddle record`, before it starts the command: whether CUDA programs can be recorded here. Builds the device code if
/// need be. Returns 1, or 0 with a sentence in `reason` (of `size` bytes).
TW_EXPORT int twiddle_cuda_prepare(char* reason, std::size_t size) {
  using namespace twiddle_cuda;
  std::string text;
  const Toolkit toolkit = find_toolkit();
  if (toolkit.sanitizer.empty())
    text = "the CUDA Toolkit here has no compute-sanitizer/libsanitizer-public.so; set CUDA_HOME to one that has";
  else if (load_sanitizer(toolkit.sanitizer, text))
    device_patches(toolkit, text);
  if (text.empty()) return 1;
  if (size > 0) std::snprintf(reason, size, "%s", text.c_str());
  return 0;
}

/// For the process that has the driver load this library to log launches of its own (TWIDDLE_RECORD_ASKED=1): the next launch is
/// logged, of it the items [first_item, end_item). Returns 0 when nothing is recorded here.
TW_EXPORT int twiddle_cuda_log_next(std::uint64_t first_item, std::uint64_t end_item) {
  using namespace twiddle_cuda;
  if (!recorder || getpid() != recorded_process) return 0;
  recorder->ask_for_next(first_item, end_item);
  return 1;
}

/// All that was logged of launches that the process has waited for is in the folder when this returns.
TW_EXPORT void twiddle_cuda_flush() {
  if (twiddle_cuda::log_folder) twiddle_cuda::log_folder->flush();
}
