#include "tracer/opencl/devices/opencl_devices.h"

#include "base/message.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr cl_int no_platform_khr = -1001;

// A platform's devices that may be asked.
std::vector<OpenClDevice> devices_of(const cl::Platform& platform, int number) {
  std::vector<OpenClDevice> found;
  const std::string name = tidy_opencl_text(platform.getInfo<CL_PLATFORM_NAME>());
  if (!may_ask({"opencl", number}, name)) return found;
  std::vector<cl::Device> devices;
  platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DriverPart part{"opencl", number, static_cast<int>(i)};
    if (!may_ask(part, fmt::format("device {} of {}", i, name))) continue;
    const cl::Device& device = devices[i];
    if (device.getInfo<CL_DEVICE_AVAILABLE>() && device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>())
      found.push_back({platform, device, describe_opencl_device(device), part});
  }
  return found;
}

}  // namespace

std::vector<OpenClDevice> find_opencl_devices(std::string& why_not) {
  std::vector<std::vector<OpenClDevice>> by_platform;
  std::vector<cl::Platform> platforms;
  try {
    if (may_ask({"opencl"}, "a driver, or the OpenCL loader,")) cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    if (error.err() != no_platform_khr)
      why_not = fmt::format("the OpenCL loader fails with {}", opencl_error_name(error.err()));
  }
  for (const cl::Platform& platform : platforms) {
    try {
      by_platform.push_back(devices_of(platform, static_cast<int>(&platform - platforms.data())));
    } catch (const cl::Error& error) {
      if (error.err() != CL_DEVICE_NOT_FOUND)
        why_not = fmt::format("{} fails with {}", error.what(), opencl_error_name(error.err()));
    }
  }
  // Platforms with most GPUs first, as the loader sorts them by default; then GPUs before the rest.
  const auto gpus = [](const std::vector<OpenClDevice>& devices) {
    return std::count_if(devices.begin(), devices.end(),
                         [](const OpenClDevice& one) { return one.info.kind == "gpu"; });
  };
  std::stable_sort(by_platform.begin(), by_platform.end(),
                   [&](const auto& a, const auto& b) { return gpus(a) > gpus(b); });
  std::vector<OpenClDevice> found;
  for (const std::vector<OpenClDevice>& devices : by_platform)
    found.insert(found.end(), devices.begin(), devices.end());
  const auto rank = [](const OpenClDevice& one) { return one.info.kind == "gpu" ? 0 : one.info.kind == "cpu" ? 2 : 1; };
  std::stable_sort(found.begin(), found.end(),
                   [&](const OpenClDevice& a, const OpenClDevice& b) { return rank(a) < rank(b); });
  for (std::size_t i = 0; i < found.size(); ++i) found[i].info.index = static_cast<int>(i);

  if (const std::vector<std::string> out = left_out("opencl"); !out.empty() && why_not.empty()) why_not = out.front();
  if (why_not.empty())
    why_not = platforms.empty() ? "no OpenCL platform is installed (Debian's pocl-opencl-icd runs on any CPU)"
                                : "the installed OpenCL platforms have no device";
  return found;
}

}  // namespace twiddle
