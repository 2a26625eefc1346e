#include "tracer/access/texel.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr std::uint64_t outside = std::uint64_t(1) << 55;
constexpr std::array<int, 3> bits{27, 16, 12};

}  // namespace

std::uint64_t offset_outside(const std::array<std::int64_t, 3>& texel) {
  std::uint64_t offset = outside;
  int at = 0;
  for (std::size_t d = 0; d < bits.size(); at += bits[d++]) {
    const std::int64_t most = std::int64_t(1) << (bits[d] - 1);
    const auto kept = static_cast<std::uint64_t>(std::clamp(texel[d], -most, most - 1));
    offset |= (kept & ((std::uint64_t(1) << bits[d]) - 1)) << at;
  }
  return offset;
}

std::optional<std::array<std::int64_t, 3>> texel_outside(std::uint64_t offset) {
  if ((offset >> 55) != 1) return std::nullopt;
  std::array<std::int64_t, 3> texel{};
  int at = 0;
  for (std::size_t d = 0; d < bits.size(); at += bits[d++]) {
    const std::uint64_t field = (offset >> at) & ((std::uint64_t(1) << bits[d]) - 1);
    texel[d] = static_cast<std::int64_t>(field) - ((field >> (bits[d] - 1)) ? std::int64_t(1) << bits[d] : 0);
  }
  return texel;
}

}  // namespace twiddle
