// libtwiddle-opencl-layer.so: what an OpenCL loader that knows layers puts between a program and its drivers ($OPENCL_LAYERS).
// `twiddle record` names it there. Each kernel of the program's gets a twin, built from rewritten source, that logs every
// access; the program itself holds its own objects only, so that drivers answer what it asks about them.
#include "record/opencl/driver.h"
#include "record/opencl/launches.h"
#include "record/opencl/programs.h"
#include "record/opencl/recording.h"
#include "record/opencl/shared_memory.h"

#include <CL/cl_layer.h>

#include <algorithm>
#include <cstring>

#define TWIDDLE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

template <typename T>
cl_int answer(const T& value, std::size_t bytes, std::size_t size, void* to, std::size_t* needed) {
  if (to && size < bytes) return CL_INVALID_VALUE;
  if (to) std::memcpy(to, &value, bytes);
  if (needed) *needed = bytes;
  return CL_SUCCESS;
}

}  // namespace

TWIDDLE_EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, std::size_t size, void* value,
                                                 std::size_t* needed) {
  constexpr char name[] = "twiddle record";
  constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (what == CL_LAYER_API_VERSION) return answer(version, sizeof version, size, value, needed);
  if (what == CL_LAYER_NAME) return answer(name, sizeof name, size, value, needed);
  return CL_INVALID_VALUE;
}

TWIDDLE_EXPORT cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target, cl_uint* entries_here,
                                              const cl_icd_dispatch** layer) {
  // Older loaders have fewer entries; all that are answered here are in OpenCL 2.1's.
  constexpr std::size_t needed = offsetof(cl_icd_dispatch, clCloneKernel) / sizeof(void*) + 1;
  if (!target || !entries_here || !layer || entries < needed) return CL_INVALID_VALUE;
  static cl_icd_dispatch below, own;  // what is null stays the loader's own
  std::memcpy(&below, target, std::min(entries * sizeof(void*), sizeof below));
  twiddle::layer::driver = &below;
  if (twiddle::layer::Recording::get()) {
    twiddle::layer::intercept_programs(own);
    twiddle::layer::intercept_launches(own);
    twiddle::layer::intercept_shared_memory(own);
  }
  *layer = &own;
  *entries_here = std::min<cl_uint>(entries, sizeof own / sizeof(void*));
  return CL_SUCCESS;
}

// Khronos' loader asks for these since 2024; the properties are none that concern us.
TWIDDLE_EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint entries, const cl_icd_dispatch* target,
                                                            cl_uint* entries_here, const cl_icd_dispatch** layer,
                                                            const void*) {
  return clInitLayer(entries, target, entries_here, layer);
}

TWIDDLE_EXPORT cl_int CL_API_CALL clDeinitLayer(void) { return CL_SUCCESS; }
