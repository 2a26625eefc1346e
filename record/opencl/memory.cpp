#include "record/opencl/memory.h"

#include "record/opencl/driver.h"
#include "record/opencl/shared_memory.h"

#include <functional>
#include <map>
#include <mutex>
#include <string_view>

namespace twiddle::layer {
namespace {

struct Known {
  std::mutex lock;  // its own: drivers call forget() from their threads
  std::map<cl_mem, std::uint64_t> numbers;
  std::map<std::uint64_t, std::uint64_t> hashes;
  std::uint64_t made = 0;
};

Known& known() {
  static auto* const all = new Known;  // never destroyed, like what it knows
  return *all;
}

void CL_CALLBACK forget(cl_mem memory, void*) {
  const std::lock_guard<std::mutex> locked(known().lock);
  const auto found = known().numbers.find(memory);
  if (found == known().numbers.end()) return;
  known().hashes.erase(found->second);
  known().numbers.erase(found);
}

template <typename T>
T ask(cl_mem memory, cl_mem_info what) {
  T value{};
  driver->clGetMemObjectInfo(memory, what, sizeof value, &value, nullptr);
  return value;
}

}  // namespace

std::optional<BufferPart> buffer_part(cl_mem memory) {
  if (!memory || ask<cl_mem_object_type>(memory, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER) return std::nullopt;
  BufferPart part;
  part.whole = memory;
  part.bytes = part.whole_bytes = ask<std::size_t>(memory, CL_MEM_SIZE);
  if (cl_mem whole = ask<cl_mem>(memory, CL_MEM_ASSOCIATED_MEMOBJECT)) {
    part.whole = whole;
    part.offset = ask<std::size_t>(memory, CL_MEM_OFFSET);
    part.whole_bytes = ask<std::size_t>(whole, CL_MEM_SIZE);
  }
  // The program itself may have made a memory object of shared virtual memory.
  if (any_shared_memory() && ask<cl_bool>(part.whole, CL_MEM_USES_SVM_POINTER))
    if (auto shared = shared_part(ask<void*>(part.whole, CL_MEM_HOST_PTR))) {
      shared->offset += part.offset;
      shared->bytes = part.bytes;
      return shared;
    }
  return part;
}

std::uint64_t identity(cl_mem whole) {
  {
    const std::lock_guard<std::mutex> locked(known().lock);
    const auto [at, fresh] = known().numbers.emplace(whole, known().made + 1);
    if (!fresh) return at->second;
    ++known().made;
  }
  driver->clSetMemObjectDestructorCallback(whole, forget, nullptr);
  const std::lock_guard<std::mutex> locked(known().lock);
  return known().numbers[whole];
}

std::vector<std::byte> content(const cl::Context& context, const cl::CommandQueue& queue, const BufferPart& buffer) {
  std::vector<std::byte> bytes(buffer.whole_bytes);
  if (bytes.empty()) return bytes;
  const cl::Buffer copy(context, CL_MEM_READ_WRITE, bytes.size());
  queue.enqueueCopyBuffer(cl::Buffer(buffer.whole, true), copy, 0, 0, bytes.size());
  queue.enqueueReadBuffer(copy, CL_TRUE, 0, bytes.size(), bytes.data());
  return bytes;
}

void forget_content(std::uint64_t identity) {
  const std::lock_guard<std::mutex> locked(known().lock);
  known().hashes.erase(identity);
}

bool changed(std::uint64_t identity, const std::vector<std::byte>& content) {
  const std::uint64_t hash =
      std::hash<std::string_view>()({reinterpret_cast<const char*>(content.data()), content.size()});
  const std::lock_guard<std::mutex> locked(known().lock);
  const auto [at, fresh] = known().hashes.emplace(identity, hash);
  if (fresh) return true;
  const bool other = at->second != hash;
  at->second = hash;
  return other;
}

}  // namespace twiddle::layer
