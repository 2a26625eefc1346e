#include "tracer/opencl/memory/opencl_memory.h"

#include "tracer/runtime/guard_zones.h"

#include <algorithm>

namespace twiddle {
namespace {

GuardedMemory zones_of(const OpenClMemory& memory, const cl::CommandQueue& queue) {
  return {memory.bytes,
          [queue, whole = memory.whole](std::size_t offset, std::span<std::byte> bytes) {
            queue.enqueueReadBuffer(whole, CL_TRUE, offset, bytes.size(), bytes.data());
          },
          [queue, whole = memory.whole](std::size_t offset, std::span<const std::byte> bytes) {
            queue.enqueueWriteBuffer(whole, CL_TRUE, offset, bytes.size(), bytes.data());
          }};
}

// Of two on one side, the one nearer to the buffer; `bytes` is the buffer's size.
bool nearer(std::int64_t a, std::int64_t b) { return a < 0 ? a > b : a < b; }

}  // namespace

OpenClMemory OpenClMemory::allocate(const cl::Context& context, const cl::CommandQueue& queue, const DeviceInfo& device,
                                    std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(bytes, 16);  // nothing of no size exists in OpenCL
  const std::size_t zone = guard_bytes(bytes);
  OpenClMemory memory;
  memory.bytes = bytes;
  memory.guarded = size + 2 * zone <= device.max_buffer;
  const std::size_t all = memory.guarded ? size + 2 * zone : size;
  if (device.kind == "cpu") memory.host = CpuMemory::reserve(all);
  const cl::Buffer whole =
      memory.host ? cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, all, memory.host->bytes().data())
                  : cl::Buffer(context, CL_MEM_READ_WRITE, all);
  if (!memory.guarded) {
    memory.buffer = whole;
    return memory;
  }
  const cl_buffer_region region{zone, size};
  memory.whole = whole;
  memory.buffer = memory.whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  fill_guards(zones_of(memory, queue));
  return memory;
}

std::span<std::byte> OpenClMemory::content() const {
  if (!host) return {};
  return host->bytes().subspan(guarded ? guard_bytes(bytes) : 0, bytes);
}

std::vector<Runtime::Overrun> OpenClMemory::overruns(const cl::CommandQueue& queue, std::size_t argument,
                                                     std::span<const StrayAccess> strays) const {
  using Kind = StrayAccess::Kind;
  std::vector<Runtime::Overrun> found;
  // Zones see writes alone, and everything nearby; what meets no memory at all comes from further away.
  if (guarded)
    for (const std::int64_t byte : changed_guards(zones_of(*this, queue)))
      found.push_back({argument, byte, Kind::Write});
  const std::size_t near = found.size();
  for (const StrayAccess& stray : strays) {
    if (!host || !host->near(stray.address)) continue;
    const auto byte = static_cast<std::int64_t>(stray.address - reinterpret_cast<std::uintptr_t>(content().data()));
    const auto same = std::find_if(found.begin(), found.end(), [&](const Runtime::Overrun& other) {
      return (other.byte < 0) == (byte < 0) && other.kind == stray.kind;
    });
    if (same == found.end())
      found.push_back({argument, byte, stray.kind});
    else if (static_cast<std::size_t>(same - found.begin()) >= near && nearer(byte, same->byte))
      same->byte = byte;
  }
  return found;
}

}  // namespace twiddle
