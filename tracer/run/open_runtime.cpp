#include "tracer/run/open_runtime.h"

#include "base/error.h"
#include "tracer/cuda/cuda_runtime.h"
#include "tracer/host/host_runtime.h"
#include "tracer/opencl/opencl_runtime.h"

namespace twiddle {

DeviceList list_devices() {
  DeviceList list;
  list_opencl_devices(list);
  list_cuda_devices(list);
  list_host_devices(list);
  return list;
}

namespace {

// GPUs first: through OpenCL, else through CUDA; then any OpenCL device, then the host.
std::unique_ptr<Runtime> open_any() {
  DeviceList list;
  list_opencl_devices(list);
  if (list.devices.empty() || list.devices[0].kind != "gpu") {
    DeviceList cuda;
    list_cuda_devices(cuda);
    if (!cuda.devices.empty()) return open_cuda_runtime(0);
  }
  if (!list.devices.empty()) return open_opencl_runtime(0);
  try {
    return open_host_runtime();
  } catch (const Error& error) {
    throw no_device("there is no device to run on: {}; {}", list.missing.at(0), error.message());
  }
}

}  // namespace

std::unique_ptr<Runtime> open_runtime(std::string_view runtime, int device, const std::optional<HostOptions>& host) {
  if (host && runtime == "auto") runtime = "host";
  if (host && runtime != "host")
    throw usage_error("only --runtime host runs work-items in an order of your choice; {} has its own", runtime);
  if (runtime == "auto") return device == 0 ? open_any() : open_opencl_runtime(device);
  if (runtime == "opencl") return open_opencl_runtime(device);
  if (runtime == "cuda") return open_cuda_runtime(device);
  if (runtime == "host") {
    if (device != 0) throw no_device("there is no host device {}; the host is device 0", device);
    return open_host_runtime(host.value_or(HostOptions()));
  }
  throw no_device("there is no runtime called {}; take auto, opencl, cuda or host", runtime);
}

}  // namespace twiddle
