// What a device is called, in every pane and picture.
#pragma once

#include <string>

namespace twiddle {

/// "opencl · PoCL": the runtime and the device's own name, or the runtime alone where that has none.
std::string device_name(const std::string& runtime, const std::string& device);

}  // namespace twiddle
