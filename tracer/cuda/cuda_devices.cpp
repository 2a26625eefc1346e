#include "tracer/cuda/cuda_devices.h"

#include "base/error.h"
#include "tracer/cuda/cuda_runtime.h"
#include "tracer/runtime/device_probe.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace twiddle::cuda {

int attribute(const Driver& driver, DeviceAttribute which, Device device) {
  int value = 0;
  return driver.device_attribute(&value, which, device) == success ? value : 0;
}

std::array<std::size_t, 3> attributes(const Driver& driver, DeviceAttribute first, Device device) {
  std::array<std::size_t, 3> values{};
  for (int d = 0; d < 3; ++d)
    values[d] =
        static_cast<std::size_t>(attribute(driver, static_cast<DeviceAttribute>(static_cast<int>(first) + d), device));
  return values;
}

DeviceInfo describe_device(const Driver& driver, int index) {
  DeviceInfo info;
  Device device = 0;
  if (const Result failed = driver.device_get(&device, index))
    throw no_device("CUDA device {} cannot be opened: {}", index, describe(driver, failed));
  std::array<char, 256> name{};
  driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device);
  std::size_t bytes = 0;
  driver.device_memory(&bytes, device);
  const auto ask = [&](DeviceAttribute which) { return attribute(driver, which, device); };
  info.runtime = "cuda";
  info.index = index;
  info.name = name.data();
  info.vendor = "NVIDIA Corporation";
  info.platform = "NVIDIA CUDA";
  info.version = fmt::format("compute capability {}.{}", ask(DeviceAttribute::compute_capability_major),
                             ask(DeviceAttribute::compute_capability_minor));
  info.driver = fmt::format("CUDA {}.{}", driver.version / 1000, driver.version % 1000 / 10);
  info.kind = "gpu";
  info.global_bytes = info.max_buffer = bytes;
  const int with_leave = ask(DeviceAttribute::max_shared_memory_per_block_optin);
  info.local_bytes =
      static_cast<std::uint64_t>(std::max(with_leave, ask(DeviceAttribute::max_shared_memory_per_block)));
  info.max_group_size = static_cast<std::size_t>(ask(DeviceAttribute::max_threads_per_block));
  info.sub_group_size = static_cast<std::size_t>(ask(DeviceAttribute::warp_size));
  info.compute_units = ask(DeviceAttribute::multiprocessor_count);
  info.fp64 = true;
  info.cooperative = ask(DeviceAttribute::cooperative_launch) != 0;
  return info;
}

int count_devices(const Driver& driver) {
  int count = 0;
  const Result failed = driver.device_count(&count);
  if (failed && failed != error_no_device)
    throw no_device("NVIDIA's driver does not list its GPUs: {}", describe(driver, failed));
  if (count == 0) throw no_device("NVIDIA's driver finds no GPU; take --runtime opencl or host");
  return count;
}

const Driver& probed_driver() {
  if (!may_ask({"cuda"}, "NVIDIA's driver"))
    throw Error(ExitCode::no_device, Message::verbatim(left_out("cuda").at(0)));
  return driver();
}

void need_probed(int device) {
  if (may_ask({"cuda", 0, device}, fmt::format("CUDA device {}", device))) return;
  throw no_device("CUDA device {} was left out: {}", device, fmt::join(left_out("cuda"), "; "));
}

void check(const Driver& driver, Result result, const std::string& device, const std::string& doing) {
  switch (result) {
    case success: return;
    case error_out_of_memory:
      throw no_device("{} ran out of memory (could not {}); take a smaller size or another device", device, doing);
    case error_illegal_address:
    case error_misaligned_address:
      throw no_device(
          "{} could not {}: it touched memory outside of its buffers; --runtime host says which work-item and which "
          "element",
          device, doing);
    case error_launch_timeout:
      throw no_device(
          "{} could not {}: it took longer than the system allows a GPU that drives a screen; take a smaller size",
          device, doing);
    default: throw no_device("{} could not {}: {}", device, doing, describe(driver, result));
  }
}

}  // namespace twiddle::cuda

namespace twiddle {

void list_cuda_devices(DeviceList& list) {
  try {
    const cuda::Driver& driver = cuda::probed_driver();
    const int count = cuda::count_devices(driver);
    cuda::load_nvrtc(driver.version / 1000);  // without it a GPU is of no use here
    for (int i = 0; i < count; ++i)
      if (may_ask({"cuda", 0, i}, fmt::format("CUDA device {}", i)))
        list.devices.push_back(cuda::describe_device(driver, i));
    for (const std::string& sentence : left_out("cuda")) list.missing.push_back("cuda: " + sentence);
  } catch (const Error& error) { list.missing.push_back(std::string("cuda: ") + error.what()); }
}

}  // namespace twiddle
