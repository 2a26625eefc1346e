#include "tracer/cuda/cuda_arguments.h"

#include "base/error.h"
#include "tracer/cuda/cuda_devices.h"
#include "tracer/runtime/launch_limits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <variant>

namespace twiddle {
namespace {

// A CUtensorMap: the whole rows of a buffer, in elements of 8 bytes. Returns its size.
std::size_t encode_boxes(const CudaArgumentDevice& device, const KernelArgument::Memory& memory, ArgumentBits& bits) {
  constexpr int words_of_8_bytes = 4, by_128_bytes = 2;  // CU_TENSOR_MAP_DATA_TYPE_UINT64, …_L2_PROMOTION_L2_128B
  constexpr std::size_t size = 128;
  if (!device.driver.encode_tiled || device.major < 9)
    throw usage_error("{} has no engine that copies boxes: that needs compute capability 9.0 and a driver of CUDA 12",
                      device.name);
  const Boxes& boxes = *memory.boxes;
  const CudaBuffer& buffer = device.buffers.at(memory.buffer);
  const std::uint64_t words = memory.element_bytes / 8, row_bytes = boxes.pitch * memory.element_bytes;
  const unsigned long long sizes[2] = {boxes.pitch * words, buffer.bytes / row_bytes};
  const unsigned long long strides[1] = {row_bytes};
  const unsigned box[2] = {static_cast<unsigned>(boxes.columns * words), boxes.rows}, steps[2] = {1, 1};
  alignas(64) std::array<std::byte, size> map{};
  void* const address = reinterpret_cast<void*>(static_cast<std::uintptr_t>(buffer.address));
  cuda::check(device.driver,
              device.driver.encode_tiled(map.data(), words_of_8_bytes, 2, address, sizes, strides, box, steps, 0, 0,
                                         by_128_bytes, 0),
              device.name, "describe an array to the copy engine");
  std::copy(map.begin(), map.end(), bits.begin());
  return size;
}

}  // namespace

std::vector<ArgumentBits> cuda_arguments(const KernelCall& call, const cuda::Entry& entry,
                                         const CudaArgumentDevice& device) {
  std::vector<ArgumentBits> values;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& value = call.arguments[i].value;
    if (std::holds_alternative<KernelArgument::Local>(value)) continue;
    ArgumentBits bits{};
    std::size_t bytes = sizeof(cuda::DevicePointer);
    if (const auto* memory = std::get_if<KernelArgument::Memory>(&value); memory && memory->boxes) {
      bytes = encode_boxes(device, *memory, bits);
    } else if (memory) {
      const cuda::DevicePointer address = device.buffers.at(memory->buffer).address;
      std::memcpy(bits.data(), &address, sizeof address);
    } else {
      const auto& scalar = std::get<KernelArgument::Scalar>(value);
      bits = scalar.bits;
      bytes = scalar.bytes;
      for (const KernelArgument::Scalar::Pointer& pointer : scalar.pointers) {
        const cuda::DevicePointer address = device.buffers.at(pointer.buffer).address;
        std::memcpy(bits.data() + pointer.at, &address, sizeof address);
      }
    }
    if (values.size() < entry.parameter_bytes.size() && entry.parameter_bytes[values.size()] != bytes)
      throw usage_error(
          "argument {} of kernel {} does not fit its parameter, which takes {} bytes and was given {}; check the "
          "plan's args",
          i + 1, call.kernel, entry.parameter_bytes[values.size()], bytes);
    values.push_back(bits);
  }
  check_count(call, entry.parameter_bytes.size(), values.size());
  return values;
}

}  // namespace twiddle
