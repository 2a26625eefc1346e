// Arrays that work-items declare for themselves, and which of their elements they have written.
#pragma once

#include "tracer/host/simt/abi.h"

#include <vector>

namespace twiddle {

/// Where an array is in the log: the same address for every item, since each has its own.
inline twiddle_host::Address made_up_address(const twiddle_host::PrivateArray& array) {
  return (array.number + twiddle_host::Address(1)) * 2 * twiddle_host::stack_bytes;
}

/// An array of a running item.
class HostArray {
 public:
  HostArray(const twiddle_host::PrivateArray& of, twiddle_host::Address first)
      : of_(&of), first_(first), written_(of.bytes) {}

  twiddle_host::Address first() const { return first_; }
  twiddle_host::Address bytes() const { return of_->bytes; }
  twiddle_host::Address made_up(twiddle_host::Address address) const {
    return made_up_address(*of_) + (address - first_);
  }
  /// Takes note of an access within the array. False: it reads, and nothing of it was written or read so before. Of an element
  /// that is written in part, the rest may be padding.
  bool touch(twiddle_host::Address address, twiddle_host::Address bytes, bool writes);

 private:
  const twiddle_host::PrivateArray* of_;
  twiddle_host::Address first_;
  std::vector<bool> written_;  // bytes
};

/// The array begins to be: what was where it is now has ceased to be.
void begin_array(std::vector<HostArray>& arrays, const twiddle_host::PrivateArray& of, twiddle_host::Address address);
/// Where there is none, nothing happens.
void end_array(std::vector<HostArray>& arrays, twiddle_host::Address address);
/// The array that an access is within; null: it is to another variable, or leaves the array.
HostArray* array_with(std::vector<HostArray>& arrays, twiddle_host::Address address, twiddle_host::Address bytes);

}  // namespace twiddle
