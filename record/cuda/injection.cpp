// libtwiddle-cuda.so: the CUDA driver loads it into a program when CUDA_INJECTION64_PATH names it, and calls
// InitializeInjection() from cuInit(). Named in LD_PRELOAD too, it has NVRTC note the lines of what it compiles.
#include "record/cuda/recorder.h"
#include "record/cuda/toolkit.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#define TW_EXPORT extern "C" __attribute__((visibility("default")))

namespace twiddle_cuda {
namespace {

LogFolder* log_folder = nullptr;  // as long as the recorder
Recorder* recorder = nullptr;     // until the process is gone: the driver's threads call back to the end
pid_t recorded_process = 0;
thread_local StreamId graph_stream = nullptr;
thread_local bool graph_upload = false;

template <typename T>
const T& as(const void* data) {
  return *static_cast<const T*>(data);
}

void on_resource(std::uint32_t event, const void* data) {
  using namespace resource_event;
  switch (event) {
    case module_loaded: return recorder->module_loaded(as<ModuleData>(data));
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
    if (event == node_begin) recorder->launch_begins(launch, graph_stream ? graph_stream : launch.stream_id);
  }
}

void on_event(void*, Domain domain, std::uint32_t event, const void* data) {
  if (getpid() != recorded_process) return;
  switch (domain) {
    case Domain::resource: return on_resource(event, data);
    case Domain::graphs: return on_graph(event, data);
    case Domain::launch:
      if (event == launch_event::begin) recorder->launch_begins(as<LaunchData>(data), nullptr);
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

// Line tables change no instruction of what NVRTC compiles. Works for programs that are linked to it, not for those that load it.
TW_EXPORT int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  using Compile = int (*)(void*, int, const char* const*);
  static const auto real = reinterpret_cast<Compile>(dlsym(RTLD_NEXT, "nvrtcCompileProgram"));
  if (!real) return 11;  // NVRTC_ERROR_INTERNAL_ERROR
  std::vector<const char*> all(options, options + count);
  for (const char* option : all)
    if (!std::strcmp(option, "-lineinfo") || !std::strcmp(option, "--generate-line-info"))
      return real(program, count, options);
  if (std::getenv("TWIDDLE_RECORD_DIR")) all.push_back("-lineinfo");
  return real(program, static_cast<int>(all.size()), all.data());
}
