// Memory of the host executor's kernels: buffers, and what a group shares.
#pragma once

#include "base/error.h"
#include "tracer/runtime/launch_limits.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace twiddle {

/// Memory between two stretches of addresses at which there is nothing: what a kernel reaches beyond it, whether the access is
/// looked at before it happens or not, stops the kernel and spoils nothing of this process's own.
class HostMemory {
 public:
  HostMemory() = default;
  explicit HostMemory(std::size_t bytes) : bytes_(bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t middle = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    const std::size_t gap = std::max(middle, min_gap);
    mapped_ = middle + 2 * gap;
    void* all = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw out_of_memory();
    start_ = static_cast<std::byte*>(all);
    data_ = start_ + gap;
    if (mprotect(data_, middle, PROT_READ | PROT_WRITE) != 0) {
      munmap(start_, mapped_);
      throw out_of_memory();
    }
  }
  HostMemory(HostMemory&& other) noexcept { swap(other); }
  HostMemory& operator=(HostMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HostMemory() {
    if (start_) munmap(start_, mapped_);
  }

  std::byte* at(std::size_t offset, std::size_t bytes) const {
    assert(offset <= bytes_ && bytes <= bytes_ - offset);
    (void)bytes;
    return data_ + offset;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  // An index that is off by a factor meets nothing else on either side.
  static constexpr std::size_t min_gap = std::size_t(64) << 20;

  Error out_of_memory() const {
    return no_device("this machine has no memory for a buffer of {}; take a smaller size", readable_bytes(bytes_));
  }
  void swap(HostMemory& other) {
    std::swap(start_, other.start_);
    std::swap(data_, other.data_);
    std::swap(mapped_, other.mapped_);
    std::swap(bytes_, other.bytes_);
  }

  std::byte *start_ = nullptr, *data_ = nullptr;
  std::size_t mapped_ = 0, bytes_ = 0;
};

}  // namespace twiddle
