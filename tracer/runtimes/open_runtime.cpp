#include "tracer/runtimes/open_runtime.h"

#include "base/error.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/cuda/cuda_runtime.h"
#include "tracer/host/host_runtime.h"
#include "tracer/opencl/opencl_runtime.h"
#include "tracer/runtime/device_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace twiddle {

namespace {

// A buffer to the device and back through the smallest kernel there is.
void run_probe(Runtime& runtime) {
  constexpr const char* opencl = "kernel void probe(global uint* values) { values[get_global_id(0)] += 1u; }\n";
  constexpr const char* cuda =
      "extern \"C\" __global__ void probe(unsigned* values) { values[blockIdx.x * blockDim.x + threadIdx.x] += 1u; }\n";
  const bool is_cuda = runtime.source_extension() == ".cu";
  std::array<std::uint32_t, 64> values{};
  std::iota(values.begin(), values.end(), 0u);
  const BufferHandle buffer = runtime.allocate(sizeof values);
  runtime.upload(buffer, 0, std::as_bytes(std::span(values)));
  KernelCall call;
  call.program = runtime.build({is_cuda ? "probe.cu" : "probe.cl", is_cuda ? cuda : opencl, {}});
  call.kernel = "probe";
  call.global[0] = values.size();
  call.local[0] = 1;  // what every device can do
  call.arguments = {{KernelArgument::Memory{buffer}}};
  runtime.run(call);
  runtime.download(buffer, 0, std::as_writable_bytes(std::span(values)));
  for (std::uint32_t i = 0; i < values.size(); ++i)
    if (values[i] != i + 1) throw no_device("a kernel that adds 1 to {} left {}", i, values[i]);
}

}  // namespace

void allow_probes(int count, char** arguments) {
  if (!begin_probe(count, arguments)) return;
  if (probed_runtime() == "opencl") probe_opencl_devices(run_probe);
  if (probed_runtime() == "cuda") probe_cuda_devices(run_probe);
  end_probe();
}

std::vector<std::string> devices_left_out() {
  std::vector<std::string> all;
  for (const char* runtime : {"opencl", "cuda"})
    for (const std::string& sentence : left_out(runtime)) all.push_back(fmt::format("{}: {}", runtime, sentence));
  return all;
}

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
    if (!cuda.devices.empty()) return open_cuda_runtime(cuda.devices[0].index);
  }
  if (!list.devices.empty()) return open_opencl_runtime(0);
  try {
    return open_host_runtime();
  } catch (const Error& error) {
    throw no_device("there is no device to run on: {}; {}", list.missing.at(0), error.message());
  }
}

}  // namespace

std::string runtime_for(const Plan& plan, std::string_view runtime) {
  if (runtime != "auto") return std::string(runtime);
  const bool in_opencl = has_kernel_sources(plan, ".cl"), in_cuda = has_kernel_sources(plan, ".cu");
  if (in_opencl == in_cuda) return "auto";
  if (in_opencl) return "opencl";
  DeviceList cuda;
  list_cuda_devices(cuda);
  return cuda.devices.empty() ? "host" : "cuda";
}

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
