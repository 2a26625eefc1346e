// Which OpenCL devices there are, and what the drivers say in words.
#pragma once

#include "base/message.h"
#include "tracer/opencl/opencl_runtime.h"
#include "tracer/runtime/device_probe.h"

#include <CL/opencl.hpp>

#include <string>
#include <vector>

namespace twiddle {

struct OpenClDevice {
  cl::Platform platform;
  cl::Device device;
  DeviceInfo info;
  DriverPart part;
};

/// Every device with a compiler that may be asked (device_probe.h), GPUs first; `why_not` says what is wrong when there is
/// none.
std::vector<OpenClDevice> find_opencl_devices(std::string& why_not);

/// "out of device memory": what a status means.
Message opencl_error_name(cl_int code);
bool opencl_out_of_memory(cl_int code);

/// A driver's string without the spaces and zero bytes that it may end in.
std::string tidy_opencl_text(std::string text);

}  // namespace twiddle
