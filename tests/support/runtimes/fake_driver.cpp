// An OpenCL driver with one platform and one GPU that misbehaves where $OCL_FAKE_DRIVER says: "load-abort", "devices-abort",
// "devices-hang", "info-exit", "context-segfault", "context-refuse". The OpenCL loader loads it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct _cl_platform_id {
  cl_icd_dispatch* functions;
};
struct _cl_device_id {
  cl_icd_dispatch* functions;
};

namespace {

cl_icd_dispatch functions;
_cl_platform_id platform{&functions};
_cl_device_id device{&functions};

// Misbehaves where $OCL_FAKE_DRIVER names this place.
void at(const char* place) {
  const char* wanted = std::getenv("OCL_FAKE_DRIVER");
  const std::size_t length = std::strlen(place);
  if (!wanted || std::strncmp(wanted, place, length) != 0 || wanted[length] != '-') return;
  const char* how = wanted + length + 1;
  std::fprintf(stderr, "an earlier line\nfake driver: no luck with \x1b[31m%s\n", place);
  if (std::strcmp(how, "abort") == 0) std::abort();
  if (std::strcmp(how, "exit") == 0) _exit(7);
  if (std::strcmp(how, "segfault") == 0) {
    signal(SIGSEGV, SIG_DFL);  // not a sanitizer's or the program's handler
    raise(SIGSEGV);
  }
  while (std::strcmp(how, "hang") == 0) pause();
}

cl_int give(const void* value, std::size_t bytes, std::size_t room, void* to, std::size_t* size) {
  if (to && room < bytes) return CL_INVALID_VALUE;
  if (to) std::memcpy(to, value, bytes);
  if (size) *size = bytes;
  return CL_SUCCESS;
}
cl_int give(const char* text, std::size_t room, void* to, std::size_t* size) {
  return give(text, std::strlen(text) + 1, room, to, size);
}

cl_int CL_API_CALL platform_info(cl_platform_id, cl_platform_info what, std::size_t room, void* to, std::size_t* size) {
  switch (what) {
    case CL_PLATFORM_EXTENSIONS: return give("cl_khr_icd", room, to, size);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return give("FAKE", room, to, size);
    case CL_PLATFORM_VERSION: return give("OpenCL 1.2 fake", room, to, size);
    case CL_PLATFORM_PROFILE: return give("FULL_PROFILE", room, to, size);
    default: return give("Fake Platform", room, to, size);
  }
}

cl_int CL_API_CALL device_ids(cl_platform_id, cl_device_type, cl_uint room, cl_device_id* to, cl_uint* count) {
  at("devices");
  if (to && room > 0) *to = &device;
  if (count) *count = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id, cl_device_info what, std::size_t room, void* to, std::size_t* size) {
  const cl_bool yes = CL_TRUE;
  const cl_device_type type = CL_DEVICE_TYPE_GPU;
  const cl_platform_id owner = &platform;
  const cl_ulong zero = 0;
  if (what == CL_DEVICE_VENDOR) at("info");
  switch (what) {
    case CL_DEVICE_NAME: return give("Fake GPU", room, to, size);
    case CL_DEVICE_VENDOR: return give("Nobody", room, to, size);
    case CL_DEVICE_VERSION: return give("OpenCL 1.2 fake", room, to, size);
    case CL_DRIVER_VERSION: return give("0", room, to, size);
    case CL_DEVICE_EXTENSIONS: return give("", room, to, size);
    case CL_DEVICE_PLATFORM: return give(&owner, sizeof owner, room, to, size);
    case CL_DEVICE_TYPE: return give(&type, sizeof type, room, to, size);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE: return give(&yes, sizeof yes, room, to, size);
    default: return give(&zero, room < sizeof zero ? room : sizeof zero, room, to, size);
  }
}

cl_int CL_API_CALL count_reference(cl_device_id) { return CL_SUCCESS; }

cl_context CL_API_CALL create_context(const cl_context_properties*, cl_uint, const cl_device_id*,
                                      void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*), void*,
                                      cl_int* status) {
  at("context");
  if (status) *status = CL_OUT_OF_RESOURCES;
  return nullptr;
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* to, cl_uint* count) {
  at("load");
  functions.clGetPlatformInfo = platform_info;
  functions.clGetDeviceIDs = device_ids;
  functions.clGetDeviceInfo = device_info;
  functions.clRetainDevice = count_reference;
  functions.clReleaseDevice = count_reference;
  functions.clCreateContext = create_context;
  if (to && room > 0) *to = &platform;
  if (count) *count = 1;
  return CL_SUCCESS;
}

CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return reinterpret_cast<void*>(clIcdGetPlatformIDsKHR);
  if (std::strcmp(name, "clGetPlatformInfo") == 0) return reinterpret_cast<void*>(platform_info);
  return nullptr;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id id, cl_platform_info what, std::size_t room, void* to,
                                                  std::size_t* size) {
  return platform_info(id, what, room, to, size);
}

}  // extern "C"
