// Where the usual orders of a radix-r transform keep their parts, so that it can be told whether a read or the write before it
// is wrong.
#pragma once

#include <cstdint>

namespace twiddle {

enum class Layout : std::uint8_t {
  Blocks,  // in place: block after block, each the bins of one part; the blocks in digit-reversed order of their offsets
  Stockham,  // bin after bin, each for all offsets in order
};

/// What an element stands for: bin `bin` of the transform of every R-th point from `offset` on.
struct Slot {
  std::uint32_t offset = 0, bin = 0;
  bool operator==(const Slot&) const = default;
};

/// What element `index` of a line of 2^bits points stands for when transforms of 2^log_length points have been made, by
/// butterflies of radix 2^log_radix.
Slot usual_slot(Layout layout, std::uint32_t index, int bits, int log_length, int log_radix);

}  // namespace twiddle
