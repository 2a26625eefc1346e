// The parts of NVIDIA's Compute Sanitizer API that the recorder uses, declared here from its documentation, and loaded at run time
// from the user's CUDA Toolkit: none of NVIDIA's headers or libraries comes with Twiddle. Fields that later toolkits
// append are not named; no structure is made here, only read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace twiddle_cuda {

// The driver's and the Sanitizer's handles, opaque.
using Context = struct ContextHandle*;
using Module = struct ModuleHandle*;
using Function = struct FunctionHandle*;
using Stream = struct StreamHandle*;       // the driver's
using StreamId = struct SanitizerStream*;  // the Sanitizer's
using LaunchId = struct SanitizerLaunch*;
using Subscriber = struct SanitizerSubscriber*;
using Device = int;

enum class Domain : int {
  driver_api = 1,
  resource = 3,
  synchronize = 4,
  launch = 5,
  memcpy = 6,
  memset = 7,
  graphs = 10
};

namespace driver_call {
enum : std::uint32_t {
  load_module = 19,
  load_module_with_options = 20,
  load_library = 678,
  launch = 307,
  launch_own_stream = 442,  // compiled with a default stream a thread
  launch_cooperative = 477,
  launch_cooperative_own_stream = 478,
  launch_configured = 652,
  launch_configured_own_stream = 653,
};
}
namespace resource_event {
enum : std::uint32_t {
  context_destroy_starting = 4,
  stream_destroy_starting = 7,
  module_loaded = 9,
  module_unload_starting = 10,
  device_memory_alloc = 11,
  device_memory_free = 12,
  host_memory_alloc = 13,
  host_memory_free = 14,
  memory_alloc_async = 15,
  memory_free_async = 16,
};
}
namespace synchronize_event {
enum : std::uint32_t { stream = 1, context = 2 };
}
namespace launch_event {
enum : std::uint32_t { begin = 1, end = 3 };
}
namespace graphs_event {
enum : std::uint32_t { node_begin = 4, node_end = 5, launch_begin = 6, launch_end = 7 };
}

struct ApiData {
  int is_exit;
  const char* function;
  const void* parameters;  // of the function, as a structure
  const void* result;
  const char* symbol;
  Context context;
};
// The first parameters of cuModuleLoadData, cuModuleLoadDataEx and cuLibraryLoadData.
struct LoadCall {
  void* loaded;
  const void* image;
};
// cuLaunchKernel's parameters; cuLaunchCooperativeKernel has all but the last.
struct LaunchCall {
  Function function;
  std::uint32_t grid[3], block[3], shared_bytes;
  Stream stream;
  void** parameters;
  void** extra;
};
struct LaunchAttribute {
  int id;
  alignas(8) int value;
  char rest[60];
};
static_assert(sizeof(LaunchAttribute) == 72, "as the driver's header has it");
struct LaunchConfiguration {
  std::uint32_t grid[3], block[3], shared_bytes;
  Stream stream;
  const LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};
// cuLaunchKernelEx's
struct ConfiguredLaunchCall {
  const LaunchConfiguration* configuration;
  Function function;
  void** parameters;
  void** extra;
};
struct ContextData {
  Context context;
  Device device;
};
struct StreamData {
  Context context;
  Stream stream;
  StreamId id;
};
using SynchronizeData = StreamData;
struct ModuleData {
  Context context;
  Module module;
  std::size_t cubin_bytes;
  const char* cubin;
};
struct MemoryData {
  std::uint64_t address, bytes;
  Context context;
  Device device;
  Stream stream;
  StreamId stream_id;
  void* pool;
  std::uint32_t flags;  // 1 a module's variable, 2 managed, 4 mapped from the host, 8 pinned, 0x40 a runtime's own
  std::uint32_t permissions;
  int visibility;
  Device source_device;
};
struct LaunchData {
  Context context;
  Stream stream;
  StreamId stream_id;
  Module module;
  Function function;
  const char* name;
  std::uint32_t grid[3], block[3], cluster[3];
  std::uint64_t grid_id;
  LaunchId launch;
  Device device;
  Context api_context;
  Stream api_stream;
  StreamId api_stream_id;
};
struct MemcpyData {
  Context from_context, to_context;
  Stream from_stream;
  StreamId from_stream_id;
  Stream to_stream;
  StreamId to_stream_id;
  std::uint64_t from, to, bytes, width, height, depth, from_pitch, to_pitch;
  std::uint32_t is_async;
  int direction;  // 1 host to host, 2 host to device, 3 device to host, 4 device to device
};
struct MemsetData {
  Context context;
  Stream stream;
  StreamId stream_id;
  std::uint64_t address, width, height, pitch;
  std::uint32_t element_bytes, value, is_async;
};
struct GraphNodeData {
  void* executable;
  std::uint32_t launch_number;
  void* node;
  int type;  // 0: a kernel
  LaunchData launch;
};
struct GraphLaunchData {
  Context context;
  Stream stream;
  StreamId stream_id;
  void* executable;
  std::uint32_t is_upload;  // the graph is sent to the device, and does not run
};

// A result of 0 is success.
using Callback = void (*)(void* user, Domain domain, std::uint32_t event, const void* data);

struct Sanitizer {
  int (*subscribe)(Subscriber*, Callback, void* user) = nullptr;
  int (*enable_domain)(std::uint32_t enable, Subscriber, Domain) = nullptr;
  int (*enable_callback)(std::uint32_t enable, Subscriber, Domain, std::uint32_t event) = nullptr;
  int (*add_patches_from_file)(const char* path, Context) = nullptr;
  int (*patch_instructions)(int instruction, Module, const char* callback) = nullptr;
  int (*patch_module)(Module) = nullptr;
  int (*set_launch_callback_data)(LaunchId, Function, StreamId, const void* user) = nullptr;
  int (*get_function_pc_and_size)(Module, const char* name, std::uint64_t* pc, std::uint64_t* bytes) = nullptr;
  int (*alloc)(Context, void**, std::size_t bytes) = nullptr;
  int (*alloc_host)(Context, void**, std::size_t bytes) = nullptr;
  int (*free)(Context, void*) = nullptr;
  int (*free_host)(Context, void*) = nullptr;
  int (*memcpy_host_to_device_async)(void* to, void* from, std::size_t bytes, StreamId) = nullptr;
  int (*memcpy_device_to_host)(void* to, void* from, std::size_t bytes, StreamId) = nullptr;
  int (*memset)(void*, int value, std::size_t bytes, StreamId) = nullptr;
  int (*stream_synchronize)(StreamId) = nullptr;
  int (*get_result_string)(int result, const char** text) = nullptr;

  std::string result_text(int result) const;
};

/// Loads libsanitizer-public.so of this path. Null when it cannot be loaded or lacks a function: `reason` says which.
const Sanitizer* load_sanitizer(const std::string& path, std::string& reason);

}  // namespace twiddle_cuda
