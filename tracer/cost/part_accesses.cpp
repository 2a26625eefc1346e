#include "tracer/cost/part_accesses.h"

namespace twiddle {

bool is_contiguous(const BufferInfo& buffer) {
  if (!buffer.parts) return true;
  const auto& [real, imaginary] = *buffer.parts;
  return real.buffer == imaginary.buffer && real.step == 2 && imaginary.step == 2 && imaginary.first == real.first + 1;
}

std::vector<PartAccesses> part_accesses(const BufferInfo& pair, std::span<const SubGroupAccess> accesses) {
  std::vector<PartAccesses> found;
  for (const BufferPart& part : *pair.parts) {
    if (found.empty() || found.back().buffer != part.buffer) found.push_back({part.buffer, {}});
    for (SubGroupAccess access : accesses) {
      for (std::uint64_t lane = 0; lane < sub_group_size; ++lane)
        if (access.takes_part(lane)) access.add(lane, part.at(access.element[lane]));
      found.back().accesses.push_back(access);
    }
  }
  return found;
}

}  // namespace twiddle
