#include "tracer/host/host_arrays.h"

namespace twiddle {

using twiddle_host::Address;

bool HostArray::touch(Address address, Address bytes, bool writes) {
  bool known = writes;
  for (Address at = address - first_; at < address - first_ + bytes && !known; ++at) known = written_[at];
  if (writes || !known)  // what was told of once is not told of again
    for (Address at = address - first_; at < address - first_ + bytes; ++at) written_[at] = true;
  return known;
}

void begin_array(std::vector<HostArray>& arrays, const twiddle_host::PrivateArray& of, Address address) {
  std::erase_if(arrays, [&](const HostArray& other) {
    return other.first() < address + of.bytes && address < other.first() + other.bytes();
  });
  arrays.emplace_back(of, address);
}

void end_array(std::vector<HostArray>& arrays, Address address) {
  std::erase_if(arrays, [&](const HostArray& one) { return one.first() == address; });
}

HostArray* array_with(std::vector<HostArray>& arrays, Address address, Address bytes) {
  for (HostArray& one : arrays)
    if (address >= one.first() && address - one.first() < one.bytes() && one.bytes() - (address - one.first()) >= bytes)
      return &one;
  return nullptr;
}

}  // namespace twiddle
