#include "record/opencl/shared_memory.h"

#include "record/opencl/driver.h"
#include "record/opencl/recording.h"

#include <cstring>
#include <map>
#include <mutex>
#include <set>

namespace twiddle::layer {
namespace {

struct Allocation {
  cl_context context = nullptr;
  std::uint64_t bytes = 0;
  bool fine_grained = false;
  cl_mem object = nullptr;  // of the same storage; null until a launch is given some of it
};

struct Allocations {
  std::mutex lock;  // its own, and free while the driver is called: drivers free memory from their threads
  std::map<std::uintptr_t, Allocation> by_address;
};

Allocations& allocations() {
  static auto* const all = new Allocations;  // never destroyed: programs free memory while they end, too
  return *all;
}

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

using Place = std::pair<std::uintptr_t, Allocation>;

// Null: no allocation is there.
const std::pair<const std::uintptr_t, Allocation>* allocation_at(const Allocations& all, std::uintptr_t address) {
  const auto after = all.by_address.upper_bound(address);
  if (after == all.by_address.begin()) return nullptr;
  const auto& before = *std::prev(after);
  return address - before.first < before.second.bytes ? &before : nullptr;
}

// OpenCL lets a memory object have an allocation's storage, which then is one in all that is done to it.
BufferPart part_of(Place place, std::uintptr_t address) {
  Allocation& allocation = place.second;
  if (!allocation.object) {
    cl_int status = CL_SUCCESS;
    allocation.object = driver->clCreateBuffer(allocation.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                               static_cast<std::size_t>(allocation.bytes),
                                               reinterpret_cast<void*>(place.first), &status);
    if (status != CL_SUCCESS) throw cl::Error(status, "clCreateBuffer");
    const std::lock_guard<std::mutex> locked(allocations().lock);
    const auto known = allocations().by_address.find(place.first);
    if (known != allocations().by_address.end()) known->second.object = allocation.object;
  }
  BufferPart part;
  part.whole = allocation.object;
  part.whole_bytes = allocation.bytes;
  part.offset = address - place.first;
  part.bytes = allocation.bytes - part.offset;
  part.address = place.first;
  part.fine_grained = allocation.fine_grained;
  return part;
}

CL_API_ENTRY void* CL_API_CALL allocate(cl_context context, cl_svm_mem_flags flags, std::size_t bytes,
                                        cl_uint alignment) {
  void* const memory = driver->clSVMAlloc(context, flags, bytes, alignment);
  if (!memory || !Recording::get()) return memory;
  Allocation allocation;
  allocation.context = context;
  allocation.bytes = bytes;
  allocation.fine_grained = (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
  const std::lock_guard<std::mutex> locked(allocations().lock);
  allocations().by_address[address_of(memory)] = allocation;
  return memory;
}

void forget(void* memory) {
  cl_mem object = nullptr;
  {
    const std::lock_guard<std::mutex> locked(allocations().lock);
    const auto found = allocations().by_address.find(address_of(memory));
    if (found == allocations().by_address.end()) return;
    object = found->second.object;
    allocations().by_address.erase(found);
  }
  if (object) driver->clReleaseMemObject(object);
}

CL_API_ENTRY void CL_API_CALL free_memory(cl_context context, void* memory) {
  forget(memory);
  driver->clSVMFree(context, memory);
}

using FreeThem = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void**, void*);

// Launches that came before have ended, for each is waited for; what comes later may not use it.
CL_API_ENTRY cl_int CL_API_CALL enqueue_free(cl_command_queue queue, cl_uint count, void** pointers, FreeThem how,
                                             void* data, cl_uint waits, const cl_event* wait_list, cl_event* event) {
  std::vector<void*> freed;
  if (pointers) freed.assign(pointers, pointers + count);
  const cl_int status = driver->clEnqueueSVMFree(queue, count, pointers, how, data, waits, wait_list, event);
  if (status == CL_SUCCESS)
    for (void* one : freed) forget(one);
  return status;
}

}  // namespace

bool any_shared_memory() {
  const std::lock_guard<std::mutex> locked(allocations().lock);
  return !allocations().by_address.empty();
}

std::optional<BufferPart> shared_part(const void* pointer) {
  std::optional<Place> found;
  {
    const std::lock_guard<std::mutex> locked(allocations().lock);
    if (const auto* at = allocation_at(allocations(), address_of(pointer))) found.emplace(*at);
  }
  if (!found) return std::nullopt;
  return part_of(*found, address_of(pointer));
}

std::vector<BufferPart> shared_parts_in(std::span<const std::byte> bytes) {
  std::map<std::uintptr_t, Allocation> found;
  {
    const std::lock_guard<std::mutex> locked(allocations().lock);
    const auto& all = allocations().by_address;
    if (all.empty()) return {};
    const std::uintptr_t first = all.begin()->first,
                         last = std::prev(all.end())->first + std::prev(all.end())->second.bytes;
    // Structures may be packed.
    for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= bytes.size(); ++i) {
      std::uintptr_t word = 0;
      std::memcpy(&word, bytes.data() + i, sizeof word);
      if (word - first >= last - first) continue;
      if (const auto* at = allocation_at(allocations(), word)) found.insert(*at);
    }
  }
  std::vector<BufferPart> parts;
  for (const auto& place : found) parts.push_back(part_of(place, place.first));
  return parts;
}

void intercept_shared_memory(cl_icd_dispatch& table) {
  table.clSVMAlloc = allocate;
  table.clSVMFree = free_memory;
  table.clEnqueueSVMFree = enqueue_free;
}

}  // namespace twiddle::layer
