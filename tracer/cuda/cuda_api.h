// The parts of NVIDIA's driver API and of its runtime compiler (NVRTC) that Twiddle calls. Both are loaded when they are first
// needed, so that one program serves machines with and without them; the declarations are our own, after NVIDIA's reference
// manuals, so that no toolkit is needed to build.
#pragma once

#include "tracer/runtime/shared_library.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace twiddle::cuda {

// ---- Driver API ----

using Result = int;  // CUresult; 0: success
using Device = int;
using DevicePointer = unsigned long long;
using Context = struct ContextStruct*;
using Module = struct ModuleStruct*;
using Function = struct FunctionStruct*;
using Stream = struct StreamStruct*;
using Event = struct EventStruct*;

/// CUresult's values that get sentences of their own.
enum : Result {
  success = 0,
  error_out_of_memory = 2,
  error_no_device = 100,
  error_no_binary_for_gpu = 209,
  error_unsupported_ptx_version = 222,
  error_not_ready = 600,
  error_illegal_address = 700,
  error_launch_out_of_resources = 701,
  error_launch_timeout = 702,
  error_misaligned_address = 716,
  error_launch_failed = 719,
};

/// CUdevice_attribute.
enum class DeviceAttribute : int {
  max_threads_per_block = 1,
  max_block_dim_x = 2,
  max_grid_dim_x = 5,
  max_shared_memory_per_block = 8,
  warp_size = 10,
  multiprocessor_count = 16,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  cooperative_launch = 95,
  max_shared_memory_per_block_optin = 97,
};

/// CUfunction_attribute.
enum class FunctionAttribute : int {
  max_threads_per_block = 0,
  shared_size_bytes = 1,
  max_dynamic_shared_size_bytes = 8,
};

/// One line a function: its name here, its symbol in the library (the version whose parameters these are), its parameters.
#define TWIDDLE_CUDA_DRIVER(X)                                                                                 \
  X(init, "cuInit", (unsigned flags))                                                                          \
  X(driver_version, "cuDriverGetVersion", (int* version))                                                      \
  X(error_name, "cuGetErrorName", (Result error, const char** name))                                           \
  X(error_string, "cuGetErrorString", (Result error, const char** text))                                       \
  X(device_count, "cuDeviceGetCount", (int* count))                                                            \
  X(device_get, "cuDeviceGet", (Device * device, int ordinal))                                                 \
  X(device_name, "cuDeviceGetName", (char* name, int length, Device device))                                   \
  X(device_memory, "cuDeviceTotalMem_v2", (std::size_t * bytes, Device device))                                \
  X(device_attribute, "cuDeviceGetAttribute", (int* value, DeviceAttribute attribute, Device device))          \
  X(context_retain, "cuDevicePrimaryCtxRetain", (Context * context, Device device))                            \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", (Device device))                                          \
  X(context_set_current, "cuCtxSetCurrent", (Context context))                                                 \
  X(context_synchronize, "cuCtxSynchronize", ())                                                               \
  X(memory_allocate, "cuMemAlloc_v2", (DevicePointer * pointer, std::size_t bytes))                            \
  X(memory_free, "cuMemFree_v2", (DevicePointer pointer))                                                      \
  X(copy_to_device, "cuMemcpyHtoD_v2", (DevicePointer to, const void* from, std::size_t bytes))                \
  X(copy_to_host, "cuMemcpyDtoH_v2", (void* to, DevicePointer from, std::size_t bytes))                        \
  X(copy_on_device, "cuMemcpyDtoD_v2", (DevicePointer to, DevicePointer from, std::size_t bytes))              \
  X(memory_set, "cuMemsetD8_v2", (DevicePointer to, unsigned char value, std::size_t bytes))                   \
  X(module_load, "cuModuleLoadDataEx",                                                                         \
    (Module * module, const void* image, unsigned options, int* keys, void** values))                          \
  X(module_unload, "cuModuleUnload", (Module module))                                                          \
  X(module_global, "cuModuleGetGlobal_v2",                                                                     \
    (DevicePointer * pointer, std::size_t * bytes, Module module, const char* name))                           \
  X(module_function, "cuModuleGetFunction", (Function * function, Module module, const char* name))            \
  X(function_attribute, "cuFuncGetAttribute", (int* value, FunctionAttribute attribute, Function function))    \
  X(function_set_attribute, "cuFuncSetAttribute", (Function function, FunctionAttribute attribute, int value)) \
  X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                                  \
    (int* blocks, Function function, int block_size, std::size_t dynamic_shared_bytes))                        \
  X(launch, "cuLaunchKernel",                                                                                  \
    (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
     unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters, void** extra))                 \
  X(launch_cooperative, "cuLaunchCooperativeKernel",                                                           \
    (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
     unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters))                               \
  X(event_create, "cuEventCreate", (Event * event, unsigned flags))                                            \
  X(event_destroy, "cuEventDestroy_v2", (Event event))                                                         \
  X(event_record, "cuEventRecord", (Event event, Stream stream))                                               \
  X(event_synchronize, "cuEventSynchronize", (Event event))                                                    \
  X(event_query, "cuEventQuery", (Event event))                                                                \
  X(event_elapsed, "cuEventElapsedTime", (float* milliseconds, Event from, Event to))

/// Of a launch that may begin before the one before it has ended: the parts of CUlaunchConfig and CUlaunchAttribute that are used.
struct LaunchAttribute {
  int id = 6;  // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
  int padding = 0;
  union {
    int allowed = 1;
    char bytes[64];
  };
};
struct LaunchConfiguration {
  unsigned grid[3], block[3], shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
/// Functions that drivers have since CUDA 12: null where there are none.
using LaunchExtended = Result (*)(const LaunchConfiguration*, Function, void**, void**);
using EncodeTiled = Result (*)(void* map, int type, unsigned rank, void* address, const unsigned long long* sizes,
                               const unsigned long long* strides, const unsigned* box, const unsigned* steps,
                               int interleave, int swizzle, int promotion, int fill);

struct Driver {
#define X(name, symbol, parameters) Result(*name) parameters = nullptr;
  TWIDDLE_CUDA_DRIVER(X)
#undef X
  LaunchExtended launch_extended = nullptr;
  EncodeTiled encode_tiled = nullptr;
  int version = 0;  // 1000 · major + 10 · minor
  SharedLibrary library;
};

/// The driver, ready for use. Throws Error (no_device) that says which library was looked for, or why it does not start.
const Driver& driver();

/// "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
std::string describe(const Driver& driver, Result error);

// ---- NVRTC ----

using Program = struct ProgramStruct*;

#define TWIDDLE_CUDA_NVRTC(X)                                                                        \
  X(version, "nvrtcVersion", (int* major, int* minor))                                               \
  X(create, "nvrtcCreateProgram",                                                                    \
    (Program * program, const char* source, const char* name, int headers, const char* const* texts, \
     const char* const* include_names))                                                              \
  X(destroy, "nvrtcDestroyProgram", (Program * program))                                             \
  X(name_kernel, "nvrtcAddNameExpression", (Program program, const char* name))                      \
  X(lowered_name, "nvrtcGetLoweredName", (Program program, const char* name, const char** symbol))   \
  X(compile, "nvrtcCompileProgram", (Program program, int options, const char* const* texts))        \
  X(log_size, "nvrtcGetProgramLogSize", (Program program, std::size_t * bytes))                      \
  X(log, "nvrtcGetProgramLog", (Program program, char* text))                                        \
  X(ptx_size, "nvrtcGetPTXSize", (Program program, std::size_t * bytes))                             \
  X(ptx, "nvrtcGetPTX", (Program program, char* text))                                               \
  X(cubin_size, "nvrtcGetCUBINSize", (Program program, std::size_t * bytes))                         \
  X(cubin, "nvrtcGetCUBIN", (Program program, char* image))                                          \
  X(architecture_count, "nvrtcGetNumSupportedArchs", (int* count))                                   \
  X(architectures, "nvrtcGetSupportedArchs", (int* numbers))

struct Nvrtc {
#define X(name, symbol, parameters) int(*name) parameters = nullptr;
  TWIDDLE_CUDA_NVRTC(X)
#undef X
  const char* (*error_string)(int error) = nullptr;
  int major = 0, minor = 0;
  std::vector<int> supported;      // architectures: 75, 80, … 90, …
  std::filesystem::path includes;  // the toolkit's headers; empty: not on this machine
  SharedLibrary library;
};

/// Where NVRTC is looked for: library names, then files below the CUDA folders of this machine.
std::vector<std::string> nvrtc_candidates();

/// NVRTC of a major version that the driver can take (0: any), or else of any. Throws Error (no_device) that says which
/// libraries were looked for and where.
Nvrtc load_nvrtc(int driver_major = 0);

}  // namespace twiddle::cuda
