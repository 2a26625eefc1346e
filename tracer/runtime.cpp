#include "tracer/runtime.h"

#include "base/error.h"
#include "tracer/cuda_runtime.h"
#include "tracer/host_runtime.h"
#include "tracer/opencl_runtime.h"

#include <algorithm>
#include <atomic>

namespace twiddle {

std::string compiler_text(const ProgramSource& source) {
  std::string text;
  for (const std::string& define : source.defines) {
    const std::size_t equals = define.find('=');
    text += "#define " + define.substr(0, equals) + " " +
            (equals == std::string::npos ? std::string("1") : define.substr(equals + 1)) + "\n";
  }
  if (!text.empty() && source.text.compare(0, 5, "#line") != 0) text += "#line 1\n";
  return text + source.text;
}

void Runtime::copy(BufferHandle from, BufferHandle to, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t(16) << 20;
  std::vector<std::byte> through(std::min(bytes, piece));
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::span<std::byte> part = std::span(through).first(std::min(piece, bytes - at));
    download(from, at, part);
    upload(to, at, part);
  }
}

namespace {
std::atomic<bool> left_running = false;
}

Overdue::Overdue(bool still_running) : std::runtime_error("a launch did not end within the time limit") {
  if (still_running) left_running = true;
}

bool launch_left_running() { return left_running; }
void note_launch_left_running() { left_running = true; }

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
    throw no_device("there is no device to run on: {}; {}", list.missing.at(0), error.what());
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
