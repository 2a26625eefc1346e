#include "tracer/opencl/devices/opencl_describe.h"

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

// Numbers of extensions that not every CL/cl_ext.h has.
constexpr cl_device_info warp_size_nv = 0x4003;
constexpr cl_device_info wavefront_width_amd = 0x4043;
constexpr cl_device_info sub_group_sizes_intel = 0x4108;

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

}  // namespace

DeviceInfo describe_opencl_device(const cl::Device& device) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  DeviceInfo info;
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  info.runtime = "opencl";
  info.name = tidy_opencl_text(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = tidy_opencl_text(device.getInfo<CL_DEVICE_VENDOR>());
  info.platform = tidy_opencl_text(platform.getInfo<CL_PLATFORM_NAME>());
  info.version = tidy_opencl_text(device.getInfo<CL_DEVICE_VERSION>());
  info.driver = tidy_opencl_text(device.getInfo<CL_DRIVER_VERSION>());
  info.kind = type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "accelerator";
  info.global_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.local_bytes = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.max_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.max_group_size = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  info.sub_group_size = sub_group_size(device, extensions);
  info.compute_units = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  info.fp64 = extensions.find("cl_khr_fp64") != std::string::npos;
  return info;
}

Message opencl_error_name(cl_int code) {
  switch (code) {
    case CL_DEVICE_NOT_AVAILABLE: return Message("device not available");
    case CL_COMPILER_NOT_AVAILABLE: return Message("no compiler");
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return Message("out of device memory");
    case CL_OUT_OF_RESOURCES: return Message("out of resources");
    case CL_OUT_OF_HOST_MEMORY: return Message("out of host memory");
    case CL_BUILD_PROGRAM_FAILURE: return Message("the program does not build");
    case CL_INVALID_BUFFER_SIZE: return Message("buffer too large");
    case CL_INVALID_KERNEL_ARGS: return Message("wrong kernel arguments");
    case CL_INVALID_WORK_GROUP_SIZE: return Message("work-group size not allowed");
    case CL_INVALID_ARG_SIZE: return Message("argument of the wrong size");
    case CL_INVALID_ARG_VALUE: return Message("argument of the wrong kind");
    default: return Message("OpenCL error {}", code);
  }
}

bool opencl_out_of_memory(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

std::string tidy_opencl_text(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ' || text.back() == '\n')) text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

}  // namespace twiddle
