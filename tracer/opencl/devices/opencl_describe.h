// What OpenCL says of a device and of failures, in Twiddle's words.
#pragma once

#include "base/message.h"
#include "tracer/runtime/runtime.h"

#include <CL/opencl.hpp>

#include <string>

namespace twiddle {

/// Everything but the index, which a list of devices gives. Throws cl::Error.
DeviceInfo describe_opencl_device(const cl::Device& device);

/// "out of device memory": what a status means.
Message opencl_error_name(cl_int code);
bool opencl_out_of_memory(cl_int code);

/// A driver's string without the spaces and zero bytes that it may end in.
std::string tidy_opencl_text(std::string text);

}  // namespace twiddle
