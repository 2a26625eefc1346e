// Which OpenCL devices there are.
#pragma once

#include "tracer/opencl/devices/opencl_describe.h"
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

}  // namespace twiddle
