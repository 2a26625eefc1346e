// How bright a buffer is, by index range: what a viewer draws of buffers too large to show element by element.
#pragma once

#include "tracer/trace/memory/replay_memory.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twiddle {

/// First element of range `range` of `ranges` equal ones over `count` elements.
constexpr std::uint64_t range_start(std::uint64_t count, std::uint64_t range, std::uint64_t ranges) {
  return count / ranges * range + count % ranges * range / ranges;
}

/// Keeps the largest |value| of 1024 equal index ranges of every large global buffer, and renews what changed. NaN counts for
/// nothing, complex values by their modulus.
class Summaries {
 public:
  explicit Summaries(const std::vector<BufferInfo>& buffers) { add(buffers); }
  /// More buffers, behind those that are known.
  void add(std::span<const BufferInfo> buffers);

  /// Looks at what was written since the last call. True where a buffer's summary changed.
  std::vector<bool> renew(ReplayMemory& memory);
  const std::vector<float>& of(int buffer) const { return ranges_[buffer]; }

 private:
  std::vector<BufferInfo> buffers_;
  std::vector<std::vector<float>> ranges_;  // empty for local arrays and small buffers
  std::size_t renewed_ = 0;                 // buffers that were there at the last renewal
};

}  // namespace twiddle
